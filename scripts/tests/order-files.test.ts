import { expect, test } from 'vitest';
import { longestFirst, slowestFiles } from './order-files.mjs';

const file = (path: string, bytes: number) => ({ path, bytes });

test('starts the file that took longest first, however small it is', () => {
  const files = [file('big.ts', 4_000), file('contract.ts', 400), file('medium.ts', 2_000)];
  const known: Record<string, number> = { 'contract.ts': 90_000, 'big.ts': 3_000, 'medium.ts': 8_000 };
  expect(longestFirst(files, (path) => known[path]).map(({ path }) => path)).toEqual([
    'contract.ts',
    'medium.ts',
    'big.ts',
  ]);
});

test('estimates a file that never ran by its size', () => {
  const files = [file('new-small.ts', 400), file('known.ts', 9_000), file('new-big.ts', 8_000)];
  expect(longestFirst(files, (path) => (path === 'known.ts' ? 5_000 : undefined)).map(({ path }) => path)).toEqual([
    'new-big.ts',
    'known.ts',
    'new-small.ts',
  ]);
});

test('lists the slowest files of this run only', () => {
  const durations = {
    'old.ts': { ms: 99_000, ranAt: 10 },
    'quick.ts': { ms: 400, ranAt: 100 },
    'slow.ts': { ms: 61_234, ranAt: 101 },
  };
  expect(slowestFiles(durations, { since: 50, count: 10 })).toEqual(['   61.2 s  slow.ts', '    0.4 s  quick.ts']);
  expect(slowestFiles(durations, { since: 50, count: 1 })).toEqual(['   61.2 s  slow.ts']);
});
