import { expect, it } from 'vitest';
import type { FileDiff } from '@liminal/contracts';
import { fileHunks, groupByFile } from './file-hunks.ts';

const diff = (oldText: string | null, newText: string, oldStart?: number, newStart?: number): FileDiff => ({
  path: '/a',
  oldText,
  newText,
  ...(oldStart !== undefined && { oldStart }),
  ...(newStart !== undefined && { newStart }),
});

it('numbers excerpts by their lines in the file, and counts the lines between them', () => {
  const { hunks, ...counts } = fileHunks([diff('a\nb\n', 'a\nB\n', 10, 10), diff('c\n', 'c\nd\n', 20, 20)]);
  expect(counts).toEqual({ added: 2, removed: 1, hasNumbers: true });
  expect(hunks.map(({ skippedBefore }) => skippedBefore)).toEqual([9, 8]);
  expect(hunks.flatMap(({ lines }) => lines.map(({ newLine, oldLine }) => newLine ?? oldLine))).toEqual([
    10, 11, 11, 20, 21,
  ]);
});

it('has no numbers for a piece of unknown position, and numbers a new file from 1', () => {
  expect(fileHunks([diff('a', 'b')]).hasNumbers).toBe(false);
  expect(fileHunks([diff(null, 'b')]).hasNumbers).toBe(true);
});

it('joins the excerpts of one file, but not those of another time or file', () => {
  const [first, second] = [diff('a', 'b', 3, 3), diff('c', 'd', 9, 9)];
  const other = { ...second, path: '/b' };
  expect(groupByFile([first, second, first, other])).toEqual([[first, second], [first], [other]]);
  expect(groupByFile([diff('a', 'b'), diff('c', 'd')])).toHaveLength(2);
});
