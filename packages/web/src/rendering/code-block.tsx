import { createContext, memo, use, useEffect, useState, type ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import type { CodeLines } from './highlight-job.ts';
import { askForColours, knownColours } from './highlighter.ts';
import { LongText } from './long-text.tsx';
import { showHidden } from '@liminal/domain/text/visible-text';
import './code-block.css';

/** Whether the text around is still being written: only finished code gets its colours. */
export const GrowingContext = createContext(false);

/** Code as it is, with its language and a way to copy it. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }): ReactNode {
  return (
    <figure className="code-block">
      <figcaption className="code-block-head">
        <span>{language}</span>
        <CopyButton text={() => code} label="Copy code" />
      </figcaption>
      {/* Wide code scrolls by itself, so it has to be reachable by keyboard. */}
      <pre dir="ltr" tabIndex={0}>
        <code>
          <Code code={showHidden(code)} language={language} />
        </code>
      </pre>
    </figure>
  );
}

/** The characters of a piece of code, in colours once they are known; the layout is the same before and after. */
export const Code = memo(({ code, language }: { readonly code: string; readonly language: string }) => {
  const isGrowing = use(GrowingContext);
  const lines = useColours(code, language, !isGrowing);
  if (lines === undefined) return <LongText text={code} />;
  return lines.map((line, index) => (
    <span key={index}>
      {line.map(([text, kind], place) =>
        kind === '' ? (
          text
        ) : (
          <span key={place} className={`code-${kind}`}>
            {text}
          </span>
        ),
      )}
      {index < lines.length - 1 && '\n'}
    </span>
  ));
});

/** The colours of a finished piece of code, once they are known. */
export function useColours(code: string, language: string, isFinished: boolean): CodeLines | undefined {
  const [held, setHeld] = useState<{ code: string; lines: CodeLines } | null>(null);
  const known = isFinished ? knownColours(code, language) : undefined;
  const isKnown = known !== undefined;
  useEffect(() => {
    if (!isFinished || isKnown) return undefined;
    return askForColours(code, language, (lines) => setHeld({ code, lines }));
  }, [code, language, isFinished, isKnown]);
  return known ?? (isFinished && held?.code === code ? held.lines : undefined);
}
