import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { wordMarks } from './word-marks.ts';

const marked = (before: string, after: string): [string[], string[]] => {
  const { removed, added } = wordMarks(before, after);
  return [
    removed.map(([start, end]) => before.slice(start, end)),
    added.map(([start, end]) => after.slice(start, end)),
  ];
};

describe('wordMarks', () => {
  it('marks only the words that differ', () => {
    expect(marked('return async (req, next) => {', 'return async (context, next) => {')).toEqual([
      ['req'],
      ['context'],
    ]);
    expect(marked('const key = req.ip;', 'const key = clientAddress(context);')).toEqual([
      ['req.ip'],
      ['clientAddress(context)'],
    ]);
  });

  it('marks nothing if two lines have little in common, or if a line is too long', () => {
    expect(marked('import a from "b";', 'throw new Error();')).toEqual([[], []]);
    expect(marked(`a${'x'.repeat(3000)}`, 'a')).toEqual([[], []]);
  });

  it('leaves the same unmarked text on both sides, for any lines', () => {
    const line = fc
      .array(fc.constantFrom('a', 'bc', ' ', '(', '.', '9'), { maxLength: 20 })
      .map((parts) => parts.join(''));
    const rest = (text: string, spans: ReturnType<typeof wordMarks>['added']): string =>
      spans.toReversed().reduce((left, [start, end]) => left.slice(0, start) + left.slice(end), text);
    fc.assert(
      fc.property(line, line, (before, after) => {
        const { removed, added } = wordMarks(before, after);
        if (removed.length === 0 && added.length === 0) return true;
        return rest(before, removed).replaceAll(/\s/g, '') === rest(after, added).replaceAll(/\s/g, '');
      }),
    );
  });
});
