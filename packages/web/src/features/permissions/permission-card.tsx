import { useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode, useEffect } from 'react';
import type { PermissionOption, PermissionRequest } from '@liminal/contracts';
import { useSession } from '../../state/sessions/use-session.ts';
import { permissionKeys } from '../../state/workbench/actions.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { keysText } from '../../ui/keys.ts';
import { answerDraftsOf, emptyAnswer, type AnswerDraft } from './answer-drafts.ts';
import { answersOf, choose, isRefusal, safeRefusal } from './answer.ts';
import { formAnswers } from './form-answers.ts';
import { Form } from './form.tsx';
import { fieldsOf } from './form-fields.ts';
import { OptionList, OptionMeanings } from './option-list.tsx';
import { Questions } from './questions.tsx';
import { Refusal } from './refusal.tsx';
import { RequestHead } from './request-head.tsx';
import { WhatIsAsked } from './what-is-asked.tsx';

export type Answer = {
  readonly optionId: string;
  readonly answers?: Record<string, unknown>;
  readonly feedback?: string;
};
type PermissionCardProps = {
  readonly request: PermissionRequest;
  /** How many requests are waiting, including this one. */
  readonly count: number;
  /** Returns what went wrong, or null if the answer was accepted. */
  readonly onAnswer: (answer: Answer) => Promise<string | null>;
};

const isEnter = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.nativeEvent.isComposing && !(event.target instanceof HTMLButtonElement);

/** Keys that move the focus, or do nothing on their own. */
const isHarmless = (event: KeyboardEvent): boolean =>
  event.altKey || event.ctrlKey || event.metaKey || ['Tab', 'Shift', 'Alt', 'Control', 'Meta'].includes(event.key);

/**
 * One request: its contents first, then all options by name. It never takes the focus by itself: a key answers only if
 * the user has moved to the card, and not in its first second.
 */
export function PermissionCard({ request, count, onAnswer }: PermissionCardProps): ReactNode {
  const keysReady = useKeysReady();
  const titleId = useId();
  const { store, agentName } = useSession();
  const drafts = answerDraftsOf(store);
  const { choices, values, feedback, refusingId } = useCell(drafts).get(request.requestId) ?? emptyAnswer;
  const change = (part: Partial<AnswerDraft>): void => drafts.change(request.requestId, part);
  const refusing = request.options.find(({ optionId }) => optionId === refusingId) ?? null;
  /** Whether the reason was opened on this card, and not before its tab was shown again. */
  const [isReasonNew, setReasonNew] = useState(false);
  const card = useRef<HTMLElement>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const fields = useMemo(() => fieldsOf(request.schema), [request.schema]);
  const questions = request.questions ?? [];
  const refusal = safeRefusal(request);
  /** With a single question, number keys choose its answer, and Enter sends it. */
  const single = request.kind === 'question' && questions.length === 1 ? questions[0] : undefined;
  const acceptance = request.kind === 'question' ? request.options.find((option) => !isRefusal(option)) : undefined;
  const canExplain = request.kind === 'tool' || request.kind === 'plan';
  /** A number next to questions or a form looks like an answer to one of them: it must not refuse them all. */
  const isNumbered = canExplain;
  const hintOf = (option: PermissionOption, index: number): string => {
    if (option === acceptance) return 'Enter';
    if (isNumbered) return String(index + 1);
    return option === refusal ? 'Esc' : '';
  };

  const filledIn = request.kind === 'form' ? formAnswers(fields, values) : answersOf(questions, choices);
  const isReady = (option: PermissionOption): boolean => !busy && (isRefusal(option) || filledIn !== null);
  const answer = async (option: PermissionOption): Promise<void> => {
    if (!isReady(option)) return;
    setBusy(true);
    const answers =
      isRefusal(option) || filledIn === null || Object.keys(filledIn).length === 0 ? {} : { answers: filledIn };
    const reason = isRefusal(option) && feedback.trim() !== '' ? { feedback: feedback.trim() } : {};
    setFailure(await onAnswer({ optionId: option.optionId, ...answers, ...reason }));
    setBusy(false);
  };
  const cancel = (): void => {
    change({ refusingId: null });
    card.current?.focus();
  };
  /** A refusal that can have a reason asks for it first. */
  const choosing = (option: PermissionOption): void => {
    if (canExplain && isRefusal(option) && option !== refusing) {
      setReasonNew(true);
      change({ refusingId: option.optionId });
    } else void answer(option);
  };

  /** The option for a key; Enter never allows a tool. */
  const optionFor = (event: KeyboardEvent, number: number): PermissionOption | undefined => {
    if (refusing !== null) return isEnter(event) && isTyping(event.target) ? refusing : undefined;
    if (event.key === 'Escape') return refusal;
    if (isEnter(event)) return acceptance;
    return isNumbered ? request.options[number - 1] : undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing || !keysReady) return;
    const number = isTyping(event.target) ? NaN : Number(event.key);
    const isBack = refusing !== null && event.key === 'Escape';
    const label = single?.options[number - 1]?.label;
    const chosen = optionFor(event, number);
    if (label === undefined && chosen === undefined && !isBack) return;
    event.preventDefault();
    event.stopPropagation();
    if (isBack) cancel();
    else if (chosen !== undefined) choosing(chosen);
    else if (single !== undefined && label !== undefined) change({ choices: choose(choices, single, label) });
  };

  /** Before the keys are ready, even a focused button ignores them. */
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if (keysReady || isHarmless(event) || (isTyping(event.target) && !isEnter(event))) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section
      ref={card}
      className="permission"
      data-keys={keysReady ? 'ready' : 'waiting'}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDownCapture={onKeyDownCapture}
      onKeyDown={onKeyDown}
    >
      <RequestHead request={request} titleId={titleId} count={count} />
      <div className="permission-asked">
        <WhatIsAsked request={request} />
        {request.kind === 'question' && (
          <Questions
            questions={questions}
            choices={choices}
            onChange={(next) => change({ choices: next })}
            title={request.title}
          />
        )}
        {request.kind === 'form' && (
          <Form fields={fields} values={values} onChange={(next) => change({ values: next })} />
        )}
      </div>
      <div className="permission-answer">
        {failure !== null && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
        {refusing === null ? (
          <OptionList options={request.options} isReady={isReady} hintOf={hintOf} onChoose={choosing} />
        ) : (
          <Refusal
            name={refusing.name}
            agentName={agentName}
            reason={feedback}
            disabled={busy}
            takesFocus={isReasonNew}
            onReason={(reason) => change({ feedback: reason })}
            onRefuse={() => void answer(refusing)}
            onCancel={cancel}
          />
        )}
      </div>
      {refusing === null && (
        <div className="permission-hints">
          <OptionMeanings options={request.options} />
          <p className="permission-keys">
            Press <kbd className="key-hint">{keysText(permissionKeys)}</kbd> to answer by keyboard.
          </p>
        </div>
      )}
    </section>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type=radio]):not([type=checkbox])');

/** Keys pressed before a request appeared must not answer it. */
const quietMs = 1000;

/** Whether the card was visible long enough for a key to be meant for it. */
function useKeysReady(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), quietMs);
    return () => clearTimeout(timer);
  }, []);
  return isReady;
}
