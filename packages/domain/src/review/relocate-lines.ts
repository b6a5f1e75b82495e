import { diffLines } from '../diff/line-diff.ts';

export type LineRange = { readonly startLine: number; readonly endLine: number };

/** Lines without their ends: a file may have other ones on disk than in git. */
export const linesOf = (text: string): string[] => {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/**
 * Where lines that were quoted from a file are in it now; null when they are not in it any more. Lines that only moved
 * are followed; among several equal places the one nearest to where they should be counts.
 */
export function relocateLines(range: LineRange, quote: string, now: string, before: string | null): LineRange | null {
  const wanted = linesOf(quote);
  const lines = linesOf(now);
  // An empty line alone says nothing about its place.
  if (wanted.every((line) => line.trim() === '')) return range.endLine <= lines.length ? range : null;
  const expected = before === null ? range.startLine : startAfter(before, now, range);
  const places = findAll(lines, wanted);
  if (places.length === 0) return null;
  const startLine = places.reduce((best, place) =>
    Math.abs(place - expected) < Math.abs(best - expected) ? place : best,
  );
  return { startLine, endLine: startLine + wanted.length - 1 };
}

/** Where the diff between the two texts says that the first line went. */
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

/** The first line, from 1, of every place where these lines stand together. */
function findAll(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, offset) => lines[at + offset] === line)) places.push(at + 1);
  }
  return places;
}
