import { memo, type ReactNode } from 'react';
import type { Span } from '@liminal/domain/diff/word-marks';
import { showHidden } from '@liminal/domain/text/visible-text';
import type { CodeToken } from '../code/highlight-job.ts';
import { LongText } from '../long-text.tsx';
import { segmentsOf } from './segments.ts';

type DiffTextProps = {
  readonly text: string;
  readonly tokens: readonly CodeToken[] | undefined;
  readonly marks: readonly Span[];
};

/** Cutting a longer line into coloured pieces would hold the page. */
const longest = 4000;

/** The characters of one line, plain text whatever they are, with colours and marks where there are any. */
export const DiffText = memo(({ text, tokens, marks }: DiffTextProps): ReactNode => {
  const shown = showHidden(text);
  if (shown === '') return ' ';
  if (shown.length > longest) return <LongText text={shown} />;
  return segmentsOf(shown, tokens, shown === text ? marks : []).map(({ text: part, kind, isMarked }, index) => {
    const className = [kind === '' ? '' : `code-${kind}`, isMarked ? 'diff-word' : ''].filter(Boolean).join(' ');
    return className === '' ? (
      part
    ) : (
      <span key={index} className={className}>
        {part}
      </span>
    );
  });
});
