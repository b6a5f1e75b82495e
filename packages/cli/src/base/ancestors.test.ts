import { expect, it } from 'vitest';
import { ancestors } from './ancestors.ts';

it('lists ancestors up to the first process, and stops at invalid entries', () => {
  const table: Record<number, number> = { 9: 7, 7: 3, 3: 1 };
  expect(ancestors(9, (pid) => table[pid] ?? 0)).toEqual([9, 7, 3]);
  expect(ancestors(9, () => 9)).toEqual([9]);
  expect(ancestors(9, () => Number.NaN)).toEqual([9]);
});

it('finds the parent of this process', () => {
  expect(ancestors()[0]).toBe(process.ppid);
});
