import { expect, it } from 'vitest';
import { extendRange, isIn, refOf } from './line-ref.ts';

it('refers to a removed line on the old side, and to any other on the new side', () => {
  expect(refOf({ kind: 'removed', text: 'a', oldLine: 4 })).toEqual({ side: 'old', line: 4 });
  expect(refOf({ kind: 'same', text: 'a', oldLine: 4, newLine: 6 })).toEqual({ side: 'new', line: 6 });
  expect(refOf({ kind: 'added', text: 'a' })).toBeNull();
});

it('extends a range with Shift on its own side, and starts over otherwise', () => {
  const first = extendRange(null, { side: 'new', line: 5 }, false);
  expect(extendRange(first, { side: 'new', line: 2 }, true)).toEqual({ side: 'new', from: 2, to: 5 });
  expect(extendRange(first, { side: 'old', line: 2 }, true)).toEqual({ side: 'old', from: 2, to: 2 });
  expect(isIn({ side: 'new', from: 2, to: 5 }, { side: 'new', line: 3 })).toBe(true);
  expect(isIn({ side: 'new', from: 2, to: 5 }, { side: 'old', line: 3 })).toBe(false);
});
