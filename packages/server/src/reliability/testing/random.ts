export type Random = {
  /** Between 0 and 1. */
  next(): number;
  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  /** True with this probability. */
  chance(share: number): boolean;
};

/** The same numbers for the same seed, everywhere (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (choices) => choices[below(choices.length)] as never, chance: (share) => next() < share };
}
