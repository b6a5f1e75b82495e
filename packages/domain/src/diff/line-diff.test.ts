import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { diffLines } from './line-diff.ts';

const shown = (oldText: string | null, newText: string, context?: number): string[] =>
  diffLines(oldText, newText, context).hunks.flatMap((hunk) =>
    hunk.lines.map((line) => ({ same: ' ', added: '+', removed: '-' })[line.kind] + line.text),
  );

describe('diffLines', () => {
  it('shows a change with the lines around it', () => {
    expect(shown('a\nb\nc\n', 'a\nB\nc\n')).toEqual([' a', '-b', '+B', ' c']);
    expect(diffLines('a\nb\n', 'a\nb\nc\n')).toMatchObject({ added: 1, removed: 0 });
  });

  it('shows a new file and an emptied file in full', () => {
    expect(shown(null, 'a\nb\n')).toEqual(['+a', '+b']);
    expect(shown('a\n', '')).toEqual(['-a']);
    expect(shown('same', 'same')).toEqual([]);
  });

  it('leaves out lines far from a change and counts them', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const changed = lines.with(5, 'five').with(35, 'thirty-five');
    const { hunks } = diffLines(lines.join('\n'), changed.join('\n'));
    expect(hunks.map((hunk) => hunk.skippedBefore)).toEqual([2, 23]);
    expect(hunks[1]!.lines[0]).toMatchObject({ oldLine: 33, newLine: 33 });
  });

  it('rebuilds both sides from any two texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after, 1000).hunks.flatMap((hunk) => hunk.lines);
        if (before === after) return lines.length === 0;
        const side = (kind: 'added' | 'removed'): string =>
          lines
            .filter((line) => line.kind === 'same' || line.kind === kind)
            .map((line) => `${line.text}\n`)
            .join('');
        return side('removed') === before && side('added') === after;
      }),
      { numRuns: 500 },
    );
  });

  it('doesn’t search for the shortest edit script if two long texts have nothing in common', () => {
    const side = (word: string): string => Array.from({ length: 20_000 }, (_, index) => `${word}${index}`).join('\n');
    expect(diffLines(side('a'), side('b'))).toMatchObject({ added: 20_000, removed: 20_000 });
  });
});
