import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoff } from './backoff.ts';

test('waits a quarter to half a second first, then doubles the window up to ten seconds', () => {
  const windows = [0, 1, 2, 3, 4, 5, 6].map((failures) => [backoff(failures, 0), backoff(failures, 1)]);
  expect(windows).toEqual([
    [250, 500],
    [500, 1000],
    [1000, 2000],
    [2000, 4000],
    [4000, 8000],
    [5000, 10_000],
    [5000, 10_000],
  ]);
});

test('stays within the limits, even after very many failures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, jitter) => {
        const wait = backoff(failures, jitter);
        expect(wait).toBeGreaterThanOrEqual(250);
        expect(wait).toBeLessThanOrEqual(10_000);
      },
    ),
  );
});

test('clamps a jitter that is out of range', () => {
  expect(backoff(2, -3)).toBe(backoff(2, 0));
  expect(backoff(2, 9)).toBe(backoff(2, 1));
});
