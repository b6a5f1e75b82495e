import { useMemo, type ReactNode } from 'react';
import { readAnsi } from './ansi.ts';
import { PathText } from './path-link.tsx';
import './terminal-output.css';

/** A command's output with its colours; nothing in it affects the page. */
export function TerminalOutput({
  text,
  failed = false,
}: {
  readonly text: string;
  readonly failed?: boolean;
}): ReactNode {
  const spans = useMemo(() => readAnsi(text), [text]);
  return (
    <pre className={failed ? 'terminal terminal-failed' : 'terminal'} dir="ltr" tabIndex={0}>
      {spans.map((span, index) => {
        const classes = [span.color && `ansi-${span.color}`, span.bold && 'ansi-bold', span.dim && 'ansi-dim'];
        const className = classes.filter(Boolean).join(' ');
        return className === '' ? (
          <PathText key={index} text={span.text} />
        ) : (
          <span key={index} className={className}>
            <PathText text={span.text} />
          </span>
        );
      })}
    </pre>
  );
}
