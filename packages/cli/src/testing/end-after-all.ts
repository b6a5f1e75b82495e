import { afterAll } from 'vitest';

/** Takes what is to be ended after all tests of a file, and ends the last one taken first. */
export function endAfterAll(patienceMs: number): (end: () => unknown) => void {
  const ends: (() => unknown)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  }, patienceMs);
  return (end) => void ends.push(end);
}
