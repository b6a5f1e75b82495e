import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { useSession } from '../../state/sessions/use-session.ts';
import { CompletionList } from './completion-list.tsx';
import { complete, findTrigger } from './find-trigger.ts';
import { recallStep, type Recall } from './recall.ts';
import { pastedName } from './use-attachments.ts';
import { useCompletions } from './use-completions.ts';

type ComposerInputProps = {
  readonly ref?: Ref<HTMLTextAreaElement>;
  readonly text: string;
  readonly placeholder: string;
  readonly onText: (text: string) => void;
  /** With Ctrl or Command held. */
  readonly onEnter: (held: boolean) => void;
  readonly onFiles: (files: readonly File[]) => void;
  /** The user chose a file from the completions. */
  readonly onMention: (path: string) => void;
  /** Its label, if it isn't the field of an open session. */
  readonly label?: string;
  /** Takes the focus. The field of the active session always does. */
  readonly isFirst?: boolean;
};

const longestPaste = 20_000;

/** The text field: it grows, completes commands and files, and recalls earlier messages. */
export function ComposerInput(props: ComposerInputProps): ReactNode {
  const { text, onText } = props;
  const { store, agentName, isActive } = useSession();
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [caret, setCaret] = useState(text.length);
  const [chosen, setChosen] = useState(0);
  /** The text for which the user closed the list. */
  const [dismissed, setDismissed] = useState<string | null>(null);
  const [recall, setRecall] = useState<Recall | null>(null);
  const trigger = dismissed === text ? null : findTrigger(text, caret);
  const completions = useCompletions(trigger);
  const isOpen = trigger !== null && completions.length > 0;
  const at = Math.min(chosen, completions.length - 1);

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  const setTextAndCaret = (next: string, place: number): void => {
    onText(next);
    setCaret(place);
    setChosen(0);
    // After React has written the value; before that, the caret would jump to the end.
    requestAnimationFrame(() => area.current?.setSelectionRange(place, place));
  };
  const choose = (index: number): void => {
    const completion = completions[index];
    if (trigger === null || completion === undefined) return;
    const done = complete(text, trigger, completion.text);
    if (completion.path !== undefined) props.onMention(completion.path);
    setTextAndCaret(done.text, done.caret);
    setDismissed(done.text);
  };
  const step = (direction: 'older' | 'newer'): boolean => {
    const next = recallStep(recall, text, direction, store.ownMessages);
    if (next === null) return false;
    setRecall(next.recall);
    setTextAndCaret(next.text, next.text.length);
    setDismissed(next.text);
    return true;
  };
  const inList = (event: KeyboardEvent): boolean => {
    if (!isOpen) return false;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        setChosen((at + (event.key === 'ArrowDown' ? 1 : -1) + completions.length) % completions.length);
        return true;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) return false;
        choose(at);
        return true;
      case 'Escape':
        setDismissed(text);
        return true;
      default:
        return false;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method is composing, the keys belong to it.
    if (event.nativeEvent.isComposing) return;
    const isDone =
      inList(event) ||
      // With Alt, arrows move through the messages of the conversation.
      (event.key === 'ArrowUp' && !event.altKey && step('older')) ||
      (event.key === 'ArrowDown' && !event.altKey && step('newer')) ||
      (event.key === 'Enter' && !event.shiftKey);
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter' && !isOpen) props.onEnter(event.ctrlKey || event.metaKey);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const given = [...event.clipboardData.files];
    const text = given.length === 0 ? event.clipboardData.getData('text/plain') : '';
    // Such a long text gets in the way of writing, and later of reading the conversation.
    const files = text.length > longestPaste ? [new File([text], pastedName)] : given;
    if (files.length === 0) return;
    event.preventDefault();
    props.onFiles(files);
  };

  return (
    <>
      {isOpen && (
        <CompletionList
          id={listId}
          label={trigger.kind === 'command' ? 'Commands' : 'Files'}
          completions={completions}
          chosen={at}
          onChoose={choose}
        />
      )}
      <textarea
        ref={(element) => {
          area.current = element;
          if (typeof props.ref === 'function') props.ref(element);
          else if (props.ref !== null && props.ref !== undefined) props.ref.current = element;
        }}
        id={isActive ? 'composer-input' : `composer-input-${store.sessionId}`}
        className="composer-input"
        rows={1}
        dir="auto"
        aria-label={props.label ?? `Message to ${agentName}`}
        aria-autocomplete="list"
        {...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${at}` })}
        placeholder={props.placeholder}
        value={text}
        autoFocus={props.isFirst ?? isActive}
        {...(props.isFirst && { 'data-autofocus': true })}
        onChange={(event) => {
          onText(event.target.value);
          setCaret(event.target.selectionStart);
          setChosen(0);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </>
  );
}
