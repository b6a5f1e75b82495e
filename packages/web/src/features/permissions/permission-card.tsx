import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { PermissionOption, PermissionRequest } from '@liminal/contracts';
import { Button } from '../../ui/button.tsx';
import { SignMark } from '../../ui/sign-mark.tsx';
import { answersOf, choose, isRefusal, safeRefusal, type Choices } from './answer.ts';
import { Form } from './form.tsx';
import { fieldsOf, formAnswers, type FormValues } from './form-fields.ts';
import { Questions } from './questions.tsx';
import { commandOf, WhatIsAsked } from './what-is-asked.tsx';

export type Answer = {
  readonly optionId: string;
  readonly answers?: Record<string, unknown>;
  readonly feedback?: string;
};
type PermissionCardProps = {
  readonly request: PermissionRequest;
  readonly others: number;
  /** Gives what went wrong, or nothing when the answer was taken. */
  readonly onAnswer: (answer: Answer) => Promise<string | null>;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type=radio]):not([type=checkbox])');

/** A field with nothing in it yet is nobody's work. */
const isWriting = (element: Element | null): boolean => isTyping(element) && (element as HTMLInputElement).value !== '';

const isEnter = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.nativeEvent.isComposing && !(event.target instanceof HTMLButtonElement);

/** A key meant for what was there before must not answer what has just appeared. */
const settleMs = 600;

/** A title that only repeats the command below it says nothing. */
const headingOf = (request: PermissionRequest): string =>
  commandOf(request) === request.title ? 'Run this command?' : request.title;

/** One request: first everything that is asked, then every option by its name. */
export function PermissionCard({ request, others, onAnswer }: PermissionCardProps): ReactNode {
  const card = useRef<HTMLElement>(null);
  const openedAt = useRef(0);
  const titleId = useId();
  const [choices, setChoices] = useState<Choices>({});
  const [values, setValues] = useState<FormValues>({});
  const [feedback, setFeedback] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const fields = useMemo(() => fieldsOf(request.schema), [request.schema]);
  const questions = request.questions ?? [];
  const refusal = safeRefusal(request);
  /** With one question the numbers choose its answer, and Enter sends it; else they choose an option. */
  const single = request.kind === 'question' && questions.length === 1 ? questions[0] : undefined;
  const acceptance = single && request.options.find((option) => !isRefusal(option));
  const hintOf = (option: PermissionOption, index: number): string | number =>
    option === refusal ? 'Esc' : option === acceptance ? 'Enter' : index + 1;

  useEffect(() => {
    openedAt.current = performance.now();
    // Never out of what a person is writing.
    if (!isWriting(document.activeElement)) card.current?.focus({ preventScroll: true });
  }, []);

  const filledIn = request.kind === 'form' ? formAnswers(fields, values) : answersOf(questions, choices);
  const isReady = (option: PermissionOption): boolean => !busy && (isRefusal(option) || filledIn !== null);
  const answer = async (option: PermissionOption): Promise<void> => {
    if (!isReady(option)) return;
    setBusy(true);
    const answers =
      isRefusal(option) || filledIn === null || Object.keys(filledIn).length === 0 ? {} : { answers: filledIn };
    const words = isRefusal(option) && feedback.trim() !== '' ? { feedback: feedback.trim() } : {};
    setFailure(await onAnswer({ optionId: option.optionId, ...answers, ...words }));
    setBusy(false);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.timeStamp - openedAt.current < settleMs) return;
    const number = isTyping(event.target) ? NaN : Number(event.key);
    const label = single?.options[number - 1]?.label;
    const chosen =
      event.key === 'Escape' ? refusal : isEnter(event) ? acceptance : single ? undefined : request.options[number - 1];
    if (label === undefined && chosen === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (chosen !== undefined) void answer(chosen);
    else if (single !== undefined && label !== undefined) setChoices(choose(choices, single, label));
  };

  return (
    <section ref={card} className="permission" aria-labelledby={titleId} tabIndex={-1} onKeyDown={onKeyDown}>
      <header className="permission-head">
        <SignMark sign="waiting" />
        <h2 id={titleId} dir="auto">
          {headingOf(request)}
        </h2>
        {others > 0 && <span className="muted">{`and ${others} more after this`}</span>}
      </header>
      <WhatIsAsked request={request} />
      {request.kind === 'question' && (
        <Questions questions={questions} choices={choices} onChange={setChoices} title={request.title} />
      )}
      {request.kind === 'form' && <Form fields={fields} values={values} onChange={setValues} />}
      {(request.kind === 'tool' || request.kind === 'plan') && (
        <input
          className="input"
          aria-label="A word to the agent if you refuse"
          placeholder="If you refuse: say why, or what to do instead"
          value={feedback}
          onChange={(event) => setFeedback(event.target.value)}
        />
      )}
      {failure !== null && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="permission-options">
        {request.options.map((option, index) => (
          <Button
            key={option.optionId}
            look={option.kind === 'allow_once' ? 'primary' : 'plain'}
            disabled={!isReady(option)}
            title={option.description}
            onClick={() => void answer(option)}
          >
            {option.name}
            {(single === undefined || option === refusal || option === acceptance) && (
              <kbd className="key-hint">{hintOf(option, index)}</kbd>
            )}
          </Button>
        ))}
      </div>
    </section>
  );
}
