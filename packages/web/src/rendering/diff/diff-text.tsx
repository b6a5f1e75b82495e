import { memo, type ReactNode } from 'react';
import type { Span } from '@liminal/domain/diff/word-marks';
import { showHidden } from '@liminal/domain/text/visible-text';
import type { CodeToken } from '../code/highlight-job.ts';
import { LongText } from '../long-text.tsx';

type DiffTextProps = {
  readonly text: string;
  readonly tokens: readonly CodeToken[] | undefined;
  readonly marks: readonly Span[];
};

/** Splitting a longer line into coloured pieces would block the page. */
const longest = 4000;

/** The text of one line, always as plain text, with colours and marks if there are any. */
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

/** A piece of a line with one style. */
type Segment = { readonly text: string; readonly kind: string; readonly isMarked: boolean };

/** Splits a line where its colour or its mark changes. Ignores tokens that don't match this line. */
export function segmentsOf(line: string, tokens: readonly CodeToken[] | undefined, marks: readonly Span[]): Segment[] {
  const fits = tokens !== undefined && tokens.map(([text]) => text).join('') === line;
  const coloured: readonly CodeToken[] = fits ? tokens : [[line, '']];
  const segments: Segment[] = [];
  let at = 0;
  for (const [text, kind] of coloured) {
    const end = at + text.length;
    const cuts = marks.flat().filter((place) => place > at && place < end);
    for (const to of [...cuts, end]) {
      const isMarked = marks.some(([from, until]) => from <= at && to <= until);
      if (to > at) segments.push({ text: line.slice(at, to), kind, isMarked });
      at = to;
    }
  }
  return segments;
}
