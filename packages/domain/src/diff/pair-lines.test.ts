import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { diffLines } from './line-diff.ts';
import { interleave, pairLines } from './pair-lines.ts';

const linesOf = (before: string, after: string) => diffLines(before, after, 1000).hunks.flatMap((hunk) => hunk.lines);
const rows = (before: string, after: string): (readonly [string, string])[] =>
  pairLines(linesOf(before, after)).map((pair) => [pair.old?.text ?? '', pair.new?.text ?? '']);
const many = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word} line ${index};`).join('\n');

describe('pairLines', () => {
  it('pairs a replaced line with the similar new one, and a new line with nothing', () => {
    expect(
      rows('return async (req, next) => {', "const skip = new Set(['/health']);\nreturn async (context, next) => {"),
    ).toEqual([
      ['', "const skip = new Set(['/health']);"],
      ['return async (req, next) => {', 'return async (context, next) => {'],
    ]);
  });

  it('keeps every line once, in order, on its side', () => {
    const text = fc
      .array(fc.constantFrom('a b', 'a c', 'x', '', 'y z'), { maxLength: 25 })
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = linesOf(before, after);
        const pairs = pairLines(lines);
        const side = (kind: 'added' | 'removed') => lines.filter((line) => line.kind === 'same' || line.kind === kind);
        expect(pairs.flatMap((pair) => pair.old ?? [])).toEqual(side('removed'));
        expect(pairs.flatMap((pair) => pair.new ?? [])).toEqual(side('added'));
        expect(interleave(lines).toSorted(byPlace)).toEqual([...lines].toSorted(byPlace));
      }),
    );
  });
});

const byPlace = (a: { oldLine?: number; newLine?: number; kind: string }, b: typeof a): number =>
  a.kind.localeCompare(b.kind) || (a.oldLine ?? 0) - (b.oldLine ?? 0) || (a.newLine ?? 0) - (b.newLine ?? 0);

describe('interleave', () => {
  it('shows a short change as the old block, then the new block', () => {
    expect(interleave(linesOf('a 1\nb 1', 'a 2\nb 2')).map(({ text }) => text)).toEqual(['a 1', 'b 1', 'a 2', 'b 2']);
  });

  it.each([40, 520])('shows a rewrite of %d lines line by line', (count) => {
    const kinds = interleave(linesOf(many('old', count), many('new', count))).map(({ kind }) => kind);
    expect(kinds).toEqual(Array.from({ length: count }, () => ['removed', 'added']).flat());
  });
});
