import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineChange } from './line-change.ts';

const change = (oldText: string | null, newText: string) => lineChange({ path: 'a.ts', oldText, newText });

test.each([
  ['a new file', null, 'a\nb\n', 2, 0],
  ['an emptied file', 'a\nb\n', '', 0, 2],
  ['one line replaced', 'a\nb\nc\n', 'a\nB\nc\n', 1, 1],
  ['an inserted line', 'a\nc', 'a\nb\nc', 1, 0],
  ['nothing', 'a\nb', 'a\nb', 0, 0],
  ['two places', 'a\nb\nc\nd\ne', 'A\nb\nc\nd\nE', 2, 2],
  ['a repeated line', 'a\na\n', 'a\na\na\n', 1, 0],
])('%s', (_, oldText, newText, added, removed) => {
  expect(change(oldText, newText)).toEqual({ added, removed });
});

test('counts lines that match the difference in length, and never more than there are', () => {
  const file = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((lines) => lines.join('\n'));
  const count = (text: string) => (text === '' ? 0 : text.split('\n').length);
  fc.assert(
    fc.property(file, file, (oldText, newText) => {
      const { added, removed } = change(oldText, newText);
      expect(added - removed).toBe(count(newText) - count(oldText));
      expect(added).toBeGreaterThanOrEqual(0);
      expect(removed).toBeGreaterThanOrEqual(0);
      expect(removed).toBeLessThanOrEqual(count(oldText));
      expect(change(newText, oldText)).toEqual({ added: removed, removed: added });
    }),
  );
});

test('counts two files with nothing in common in full, and quickly', () => {
  const lines = (letter: string) => Array.from({ length: 20_000 }, (_, at) => `${letter}${at}`).join('\n');
  expect(change(lines('a'), lines('b'))).toEqual({ added: 20_000, removed: 20_000 });
});
