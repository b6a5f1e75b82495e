/** How many tokens must gather before they are emitted: the first ones soon, long answers in larger pieces. */
export const defaultGradient: readonly number[] = [10, 20, 40, 80, 120];

/** Decides when enough tokens have gathered. The caller emits all waiting text, or none. */
export type BatchGate = {
  /** Adds tokens. `true`: emit now; the gate then counts from zero again, against a later step. */
  add(tokens: number): boolean;
  /** The waiting text was emitted for another reason. The step stays: only crossing a step advances it. */
  reset(): void;
};

/**
 * A step is crossed by strictly more tokens than its value. One addition that crosses several steps opens the gate once
 * and skips all of them (35 tokens at the start cross 10 and then 20 more); the last step repeats forever.
 */
export function createBatchGate(gradient: readonly number[] = defaultGradient): BatchGate {
  const lastStep = gradient.length - 1;
  let step = 0;
  let waiting = 0;
  return {
    add(tokens) {
      waiting += tokens;
      // An empty gradient has no steps to wait for.
      if (waiting <= (gradient[step] ?? 0)) return false;
      let rest = waiting;
      while (step < lastStep && rest > (gradient[step] ?? 0)) {
        rest -= gradient[step] ?? 0;
        step += 1;
      }
      waiting = 0;
      return true;
    },
    reset() {
      waiting = 0;
    },
  };
}
