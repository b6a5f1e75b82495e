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

/** Whether the surrounding text is still growing: only finished code is highlighted. */
export const GrowingContext = createContext(false);

type CodeBlockProps = {
  readonly code: string;
  readonly language: string;
  /** Additional buttons next to Copy. */
  readonly actions?: ReactNode;
  /** Why this is shown as code, for example a diagram that couldn't be drawn. */
  readonly note?: string | undefined;
};

/** A line too long for many screens. */
const longLine = /[^\n]{81}/;

/** A code block with its language, a copy button, and a wrap button if its lines are long. */
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

/** Code with colours once they are known; the layout is the same before and after. */
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

/** The colours of finished code, once they are known. */
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
