import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { FileDiff } from '@liminal/contracts';
import { placeDiffs } from './place-diffs.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const path = '/p/a.ts';
const edit = (oldText: string | null, newText: string, more: Partial<FileDiff> = {}): FileDiff => ({
  path,
  oldText,
  newText,
  ...more,
});
const file = textOf(numbered(40));

describe('PM-1: a change', () => {
  it('has its real line numbers and three lines of context', () => {
    expect(placeDiffs([edit('line 20', 'twenty')], { text: textOf(numbered(20)) }, 'before')).toEqual([
      {
        path,
        oldText: textOf(numbered(20).slice(16)),
        newText: textOf([...numbered(20).slice(16, 19), 'twenty']),
        oldStart: 17,
        newStart: 17,
      },
    ]);
  });

  it('shows whole lines for a piece that starts in the middle of one', () => {
    const [placed] = placeDiffs([edit('ne 30', 'st 30')], { text: file }, 'before');
    expect(placed).toMatchObject({ oldStart: 27, newStart: 27 });
    expect(placed?.newText).toContain('\nlist 30\n');
  });

  it('that overwrites a file shows only what differs', () => {
    const after = textOf(numbered(40).toSpliced(4, 1));
    const [placed, ...others] = placeDiffs([edit(null, after)], { text: file }, 'before');
    expect(others).toEqual([]);
    expect(placed).toMatchObject({
      oldStart: 2,
      newStart: 2,
      newText: textOf(['line 2', 'line 3', 'line 4', 'line 6', 'line 7', 'line 8']),
    });
    expect(placed?.oldText).toContain('line 5\n');
  });

  it('that writes the existing content is no change', () => {
    expect(placeDiffs([edit(null, file)], { text: file }, 'before')).toEqual([
      edit('', '', { oldStart: 1, newStart: 1 }),
    ]);
    // Once the edit may have run, the file has the new content and doesn't show what it was before.
    expect(placeDiffs([edit(null, file)], { text: file }, 'unknown')).toEqual([edit(null, file)]);
  });

  it('of only the final line break is different from no change', () => {
    expect(placeDiffs([edit(null, 'a\nb')], { text: 'a\nb\n' }, 'before')).toEqual([
      edit('b\n', 'b', { oldStart: 2, newStart: 2 }),
    ]);
  });

  it('of every occurrence shows every occurrence', () => {
    const text = textOf(numbered(30).with(2, 'x').with(25, 'x'));
    const placed = placeDiffs([edit('x', 'y', { everywhere: true })], { text }, 'before');
    expect(placed.map(({ oldStart }) => oldStart)).toEqual([1, 23]);
  });

  it('in several steps is one change, numbered on both sides', () => {
    const placed = placeDiffs([edit('line 5\n', ''), edit('line 30', 'thirty')], { text: file }, 'before');
    expect(placed.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([
      [2, 2],
      [27, 26],
    ]);
  });

  it('that was already made is placed by its result', () => {
    const made = file.replace('line 20\n', 'line 20\nmore\n');
    for (const time of ['after', 'unknown'] as const) {
      const [placed] = placeDiffs([edit('line 20\n', 'line 20\nmore\n')], { text: made }, time);
      expect(placed).toMatchObject({ oldStart: 18, newStart: 18, oldText: textOf(numbered(23).slice(17)) });
    }
  });

  it.each([
    ['occurs in several places', edit('line 1', 'one'), { text: file }, 'before'],
    ['doesn’t occur', edit('gone', 'x'), { text: file }, 'before'],
    ['is in a missing file', edit('a', 'b'), 'missing', 'before'],
    ['removed a piece that can’t be found', edit('gone', ''), { text: file }, 'after'],
  ] as const)('keeps the agent’s own text when it %s', (_, diff, at, time) => {
    expect(placeDiffs([diff], at, time)).toEqual([diff]);
  });

  it('reports that a file is replaced even if its text can’t be shown, and that a new one is new', () => {
    expect(placeDiffs([edit(null, 'x')], 'unreadable', 'before')).toEqual([edit(null, 'x', { overwrites: true })]);
    expect(placeDiffs([edit(null, 'x')], 'missing', 'before')).toEqual([edit(null, 'x', { oldStart: 1, newStart: 1 })]);
  });

  it('rebuilds the file from its excerpts after any change', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }).map(textOf);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const placed = placeDiffs([edit(null, after)], { text: before }, 'before');
        const lines = before.split('\n');
        for (const { oldText, newText, oldStart } of placed.toReversed()) {
          const old = (oldText ?? '').split('\n').slice(0, -1);
          if (lines.slice((oldStart ?? 1) - 1, (oldStart ?? 1) - 1 + old.length).join('\n') !== old.join('\n'))
            return false;
          lines.splice((oldStart ?? 1) - 1, old.length, ...newText.split('\n').slice(0, -1));
        }
        return lines.join('\n') === after;
      }),
      { seed: 11, numRuns: 400 },
    );
  });
});
