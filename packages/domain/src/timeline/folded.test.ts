import { expect, test } from 'vitest';
import { folded, mergeFolded, nothing } from './folded.ts';

test('combines two changes, with each id once', () => {
  const first = folded({ items: ['a', 'b'], added: true, turns: ['t'] });
  const second = folded({ items: ['b', 'c'], missing: ['c'], queue: true });
  expect(mergeFolded(first, second)).toEqual(
    folded({ items: ['a', 'b', 'c'], added: true, turns: ['t'], missing: ['c'], queue: true }),
  );
});

test('returns the change itself when combined with nothing', () => {
  const change = folded({ status: true });
  expect(mergeFolded(nothing, change)).toBe(change);
  expect(mergeFolded(change, nothing)).toBe(change);
});
