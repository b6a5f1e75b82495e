import { expect, it } from 'vitest';
import { quietHalf } from './quiet-half.ts';

it('keeps the less disturbed half, including the middle one', () => {
  expect(quietHalf([5, 1, 4, 2, 3], (round) => round)).toEqual([1, 2, 3]);
  expect(quietHalf([4, 3, 2, 1], (round) => round)).toEqual([1, 2]);
  expect(quietHalf([], () => 0)).toEqual([]);
});
