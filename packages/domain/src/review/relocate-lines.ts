import { diffLines } from '../diff/line-diff.ts';

export type LineRange = { readonly startLine: number; readonly endLine: number };

/** Lines without their endings, which may differ between disk and git. */
export const linesOf = (text: string): string[] => {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/**
 * Where quoted lines of a file are now; null if they no longer exist. Follows lines that moved; of several equal places
 * it takes the one nearest to the expected position.
 */
export function relocateLines(range: LineRange, quote: string, now: string, before: string | null): LineRange | null {
  const wanted = linesOf(quote);
  const lines = linesOf(now);
  // Empty lines alone can't be located.
  if (wanted.every((line) => line.trim() === '')) return range.endLine <= lines.length ? range : null;
  const expected = before === null ? range.startLine : startAfter(before, now, range);
  const places = findAll(lines, wanted);
  if (places.length === 0) return null;
  const startLine = places.reduce((best, place) =>
    Math.abs(place - expected) < Math.abs(best - expected) ? place : best,
  );
  return { startLine, endLine: startLine + wanted.length - 1 };
}

/** Where the diff between the two texts puts the first line. */
function startAfter(before: string, now: string, { startLine }: LineRange): number {
  const { hunks } = diffLines(linesOf(before).join('\n'), linesOf(now).join('\n'), 0);
  let shift = 0;
  for (const { lines } of hunks) {
    const first = lines.find(({ oldLine }) => oldLine !== undefined)?.oldLine ?? null;
    const newLine = lines.find((line) => line.newLine !== undefined)?.newLine ?? 0;
    const place = first ?? newLine - shift;
    if (place > startLine) break;
    shift +=
      lines.filter(({ kind }) => kind === 'added').length - lines.filter(({ kind }) => kind === 'removed').length;
  }
  return startLine + shift;
}

/** The 1-based first line of every place where these lines occur together. */
function findAll(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, offset) => lines[at + offset] === line)) places.push(at + 1);
  }
  return places;
}
