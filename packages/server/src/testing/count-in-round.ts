/** Counts calls, and reports the most that happened before the event loop ran other work. */
export function countInRound() {
  let count = 0;
  let most = 0;
  const begin = (): void => {
    count = 0;
    next = setImmediate(begin);
  };
  let next = setImmediate(begin);
  return {
    call(): void {
      count += 1;
      most = Math.max(most, count);
    },
    stop(): number {
      clearImmediate(next);
      return most;
    },
  };
}
