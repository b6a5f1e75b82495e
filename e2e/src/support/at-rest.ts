import { expect } from 'vitest';

/** Waits until a number stops changing, and returns it. */
export async function atRest(read: () => Promise<number>): Promise<number> {
  let last = NaN;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await read();
        return last - before;
      },
      { interval: 150 },
    )
    .toBe(0);
  return last;
}
