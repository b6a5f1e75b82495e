import { expect, test } from 'vitest';
import { chunksOf, createPace } from './pace.ts';

test('a text is cut into words that add up to it', () => {
  const text = 'Hello,  you\n\nthere ✓ \n';
  expect(chunksOf(text)).toEqual(['Hello,', '  you', '\n\nthere', ' ✓', ' \n']);
  expect(chunksOf(text).join('')).toBe(text);
});

test('a cancelled pace stops at once', async () => {
  const pace = createPace(() => 1);
  await expect(pace.beat(1, AbortSignal.abort())).rejects.toThrow();
});

test('beats that are behind the clock do not wait', async () => {
  let now = 0;
  const pace = createPace(
    () => 1,
    () => now,
  );
  now = 1_000;
  await pace.beat(40, new AbortController().signal);
});
