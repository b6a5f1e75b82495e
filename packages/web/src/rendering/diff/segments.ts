import type { Span } from '@liminal/domain/diff/word-marks';
import type { CodeToken } from '../code/highlight-job.ts';

/** A piece of a line that looks the same throughout. */
export type Segment = { readonly text: string; readonly kind: string; readonly isMarked: boolean };

/** Cuts a line where its colour or its mark changes. Tokens that are not of this very line are not used. */
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
