import { createContext, memo, use, useEffect, useState, type ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { CodeLines } from './highlight-job.ts';
import { askForColours, knownColours } from './highlighter.ts';
import { LongText } from '../long-text.tsx';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useEdgeFade } from '../rich/use-edge-fade.ts';
import './code-block.css';

/** Whether the text around is still being written: only finished code gets its colours. */
export const GrowingContext = createContext(false);

type CodeBlockProps = {
  readonly code: string;
  readonly language: string;
  /** Further buttons beside the one that copies. */
  readonly actions?: ReactNode;
  /** Why this is code and not what it was meant to be. */
  readonly note?: string | undefined;
};

/** A line that many screens have no room for. */
const longLine = /[^\n]{81}/;

/** Code as it is, with its language, a way to copy it, and one to wrap it where its lines are long. */
export function CodeBlock({ code, language, actions, note }: CodeBlockProps): ReactNode {
  const [isWrapped, setIsWrapped] = useState(false);
  const scroller = useEdgeFade<HTMLPreElement>();
  return (
    <figure className="code-block">
      <figcaption className="code-block-head">
        <span>{language}</span>
        <span className="code-block-actions">
          {actions}
          {longLine.test(code) && (
            <IconButton label="Wrap lines" aria-pressed={isWrapped} onClick={() => setIsWrapped(!isWrapped)}>
              <Icon name="wrap" />
            </IconButton>
          )}
          <CopyButton text={() => code} label="Copy code" />
        </span>
      </figcaption>
      {note !== undefined && <p className="code-block-note">{showHidden(note)}</p>}
      {/* Wide code scrolls by itself, so it has to be reachable by keyboard. */}
      <pre ref={scroller} className={isWrapped ? 'edge-fade code-block-wrapped' : 'edge-fade'} dir="ltr" tabIndex={0}>
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
