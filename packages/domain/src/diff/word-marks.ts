import { shortestEdits } from './line-diff.ts';

/** A range of a line: first character, and the one after its last. */
export type Span = readonly [start: number, end: number];
export type WordMarks = { readonly removed: readonly Span[]; readonly added: readonly Span[] };

const noMarks: WordMarks = { removed: [], added: [] };
const wordPattern = /[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu;
/** Marks don't help in a longer line, and would take too long to compute. */
const longestLine = 2000;
const mostEdits = 200;
/** With less in common than this, marks would be scattered over the whole line. */
const leastInCommon = 0.3;

/** The words that differ between a line and its replacement; none if the two have little in common. */
export function wordMarks(before: string, after: string): WordMarks {
  if (before.length > longestLine || after.length > longestLine || before === after) return noMarks;
  const a = before.match(wordPattern) ?? [];
  const b = after.match(wordPattern) ?? [];
  const steps = shortestEdits(a, b, mostEdits);
  if (steps === null) return noMarks;
  const removed: [number, number][] = [];
  const added: [number, number][] = [];
  let [x, y, oldAt, newAt, same] = [0, 0, 0, 0, 0];
  for (const step of steps) {
    const word = (step === 'added' ? b[y] : a[x]) ?? '';
    if (step !== 'removed') y += 1;
    if (step !== 'added') x += 1;
    if (step === 'same' && word.trim() !== '') same += word.length;
    if (step === 'removed') extend(removed, oldAt, word.length, before);
    if (step === 'added') extend(added, newAt, word.length, after);
    if (step !== 'added') oldAt += word.length;
    if (step !== 'removed') newAt += word.length;
  }
  const shorter = Math.max(1, Math.min(before.trim().length, after.trim().length));
  if (same / shorter < leastInCommon) return noMarks;
  return { removed: removed.map((span) => trimmed(span, before)), added: added.map((span) => trimmed(span, after)) };
}

/** Removes spaces at the ends of a mark, unless only spaces differ. */
function trimmed([start, end]: Span, line: string): Span {
  const text = line.slice(start, end);
  if (text.trim() === '') return [start, end];
  return [start + text.length - text.trimStart().length, end - text.length + text.trimEnd().length];
}

/** Words separated only by spaces become one mark. */
function extend(spans: [number, number][], start: number, length: number, line: string): void {
  const last = spans.at(-1);
  if (last !== undefined && line.slice(last[1], start).trim() === '') last[1] = start + length;
  else spans.push([start, start + length]);
}
