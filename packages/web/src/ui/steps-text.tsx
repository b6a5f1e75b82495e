import { Fragment, type ReactNode } from 'react';

/** Text from the server: one line each, backticks as code, lines with a bullet as a list. */
export function StepsText({ text }: { readonly text: string }): ReactNode {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const steps = lines.filter((line) => line.startsWith('• '));
  return (
    <div className="dialog-text">
      {lines
        .filter((line) => !line.startsWith('• '))
        .map((line) => (
          <p key={line}>{withCode(line)}</p>
        ))}
      {steps.length > 0 && (
        <ul>
          {steps.map((step) => (
            <li key={step}>{withCode(step.slice(2))}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

const withCode = (line: string): ReactNode[] =>
  line
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
    );
