import { expect, test } from 'vitest';
import { chunksOf, createPace } from './pace.ts';

test('splits a text into words that add up to it', () => {
  const text = 'Hello,  you\n\nthere ✓ \n';
  expect(chunksOf(text)).toEqual(['Hello,', '  you', '\n\nthere', ' ✓', ' \n']);
  expect(chunksOf(text).join('')).toBe(text);
});

test('stops immediately when cancelled', async () => {
  const pace = createPace(() => 1);
  await expect(pace.beat(1, AbortSignal.abort())).rejects.toThrow();
});

test('late beats do not wait, until they have caught up a tenth of a second', async () => {
  let now = 0;
  const pace = createPace(
    () => 1,
    () => now,
  );
  now = 1_000;
  const stop = new AbortController();
  /** Whether the next beat came without a timer: timers fire after everything that is ready now. */
  const comesAtOnce = async (): Promise<boolean> => {
    let came = false;
    pace.beat(40, stop.signal).then(
      () => (came = true),
      () => {},
    );
    for (let step = 0; step < 5; step += 1) await Promise.resolve();
    return came;
  };
  const beats: boolean[] = [];
  for (let beat = 0; beat < 5; beat += 1) beats.push(await comesAtOnce());
  stop.abort();
  expect(beats).toEqual([true, true, true, true, false]);
});
