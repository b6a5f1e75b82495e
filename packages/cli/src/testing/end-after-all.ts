import { afterAll } from 'vitest';

/** Collects what must be ended after all tests of a file, and ends it in reverse order. */
export function endAfterAll(patienceMs: number): (end: () => unknown) => void {
  const ends: (() => unknown)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  }, patienceMs);
  return (end) => void ends.push(end);
}
