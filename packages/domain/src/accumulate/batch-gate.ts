/** How many tokens must wait before they are emitted: first words soon, long answers in larger pieces. */
export const defaultGradient: readonly number[] = [10, 20, 40, 80, 120];

/** Says when enough has been gathered. The caller emits everything that waits, or nothing. */
export type BatchGate = {
  /** Adds to what waits. `true`: emit it now; the gate then counts from zero again, against a later step. */
  add(tokens: number): boolean;
  /** What waited was emitted for another reason. The step stays: only crossing a step leaves it behind. */
  reset(): void;
};

/**
 * A step is crossed by strictly more tokens than it names. One addition over several steps opens the gate once and
 * leaves all of them behind (35 tokens at the start cross 10 and then 20 more); the last step repeats for ever.
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
