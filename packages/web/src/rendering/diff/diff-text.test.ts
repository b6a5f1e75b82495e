import { expect, it } from 'vitest';
import { segmentsOf } from './diff-text.tsx';

const shown = (...args: Parameters<typeof segmentsOf>): string[] =>
  segmentsOf(...args).map(({ text, kind, isMarked }) => `${kind}${isMarked ? '*' : ''}|${text}`);

it('splits a line where its colour or its mark changes', () => {
  expect(
    shown(
      'const key = 1',
      [
        ['const', 'keyword'],
        [' key = ', ''],
        ['1', 'constant'],
      ],
      [[6, 9]],
    ),
  ).toEqual(['keyword|const', '| ', '*|key', '| = ', 'constant|1']);
});

it('marks across colours', () => {
  expect(
    shown(
      'ab',
      [
        ['a', 'string'],
        ['b', ''],
      ],
      [[0, 2]],
    ),
  ).toEqual(['string*|a', '*|b']);
});

it('shows a line without colours if they belong to another text, or are missing', () => {
  expect(shown('new text', [['old text', 'keyword']], [])).toEqual(['|new text']);
  expect(shown('plain', undefined, [])).toEqual(['|plain']);
});
