import type { ReactNode } from 'react';
import type { Question } from '@liminal/contracts';
import { choose, write, type Choices } from './answer.ts';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';

type QuestionsProps = {
  readonly questions: readonly Question[];
  readonly choices: Choices;
  readonly onChange: (choices: Choices) => void;
  /** The card's own title; a single question with the same text isn't repeated. */
  readonly title: string;
};

/** The agent's questions with their choices, and a text field if free text is allowed. */
export function Questions({ questions, choices, onChange, title }: QuestionsProps): ReactNode {
  const numbered = questions.length === 1;
  return questions.map((question) => {
    const held = choices[question.id];
    return (
      <fieldset key={question.id} className="question">
        <legend className={question.question === title ? 'visually-hidden' : ''}>
          {question.header !== undefined && <span className="question-header">{showControls(question.header)}</span>}
          {showControls(question.question)}
        </legend>
        {question.multiSelect && <p className="muted">Choose all that apply.</p>}
        {question.options.map((option, index) => (
          <label key={option.label} className="question-option">
            <input
              type={question.multiSelect ? 'checkbox' : 'radio'}
              name={question.id}
              checked={held?.labels.includes(option.label) ?? false}
              onChange={() => onChange(choose(choices, question, option.label))}
            />
            <span>
              {showHidden(option.label)} {numbered && <kbd className="key-hint">{index + 1}</kbd>}
              {option.description !== undefined && <span className="muted">{showControls(option.description)}</span>}
            </span>
          </label>
        ))}
        {(question.freeText || question.options.length === 0) && (
          <input
            className="input"
            aria-label={`Your own answer: ${showControls(question.question)}`}
            placeholder="Your own answer"
            value={held?.text ?? ''}
            onChange={(event) => onChange(write(choices, question, event.target.value))}
          />
        )}
      </fieldset>
    );
  });
}
