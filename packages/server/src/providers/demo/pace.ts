import { setTimeout as wait } from 'node:timers/promises';

export type Pace = {
  /** Waits until the next of `perSecond` beats; rejects when the signal aborts. */
  beat(perSecond: number, signal: AbortSignal): Promise<void>;
};

/** Keeps a steady pace by the clock, so errors of short waits don't add up. `speed` multiplies it. */
export function createPace(speed: () => number, now: () => number = performance.now.bind(performance)): Pace {
  let due = now();
  return {
    async beat(perSecond, signal) {
      signal.throwIfAborted();
      due = Math.max(due, now() - 100) + 1000 / (perSecond * speed());
      const left = due - now();
      if (left >= 1) await wait(left, undefined, { signal });
    },
  };
}

/** Splits a text into words with the space before them, as a model would send it. */
export const chunksOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
