import { expect } from 'vitest';

/** A number once it has come to rest. */
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
