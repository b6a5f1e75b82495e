import { expect, it } from 'vitest';
import { paced } from './perform.ts';

const pieces = Array.from({ length: 600 }, (_, index) => `${index} `);
const never = new AbortController().signal;

it('yields everything in order and at once when there is no pace', async () => {
  const batches = await Array.fromAsync(paced(pieces, 0, never));
  expect(batches.flat()).toEqual(pieces);
  expect(batches.every((batch) => batch.length <= 256)).toBe(true);
});

it('keeps the rate of a full answer, however late the timers are', async () => {
  const start = performance.now();
  const batches = await Array.fromAsync(paced(pieces, 0.2, never));
  expect(batches.flat()).toEqual(pieces);
  expect(performance.now() - start).toBeGreaterThan(119);
});

it('yields the first piece without waiting and stops when the reader is gone', async () => {
  const gone = new AbortController();
  const answer = paced(pieces, 60_000, gone.signal);
  expect((await answer.next()).value).toEqual(['0 ']);
  const next = answer.next();
  gone.abort();
  await expect(next).rejects.toThrow();
});
