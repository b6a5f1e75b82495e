import { expect, test } from 'vitest';
import { groupAndDescendants } from './find-family.ts';

test('finds an agent’s group and all descendants, even those in other groups', () => {
  const table = [
    { pid: 10, parent: 1, group: 10 },
    { pid: 11, parent: 10, group: 10 },
    { pid: 13, parent: 12, group: 12 },
    { pid: 12, parent: 11, group: 12 },
    { pid: 14, parent: 1, group: 10 },
    { pid: 20, parent: 1, group: 20 },
  ];
  expect([...groupAndDescendants(10, table)].sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14]);
});
