import type { Usage } from '@liminal/contracts';

const nothing: Usage = { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };

/** The usage of a turn, from totals of the whole thread. */
export type TurnUsage = {
  /** A turn begins. */
  begin(): void;
  /** `last` is the usage of the newest model call, and part of `total`. */
  record(total: Usage, last: Usage): void;
  ofTurn(): Usage | undefined;
  ofSession(): Usage | undefined;
};

export function createTurnUsage(): TurnUsage {
  let total: Usage | undefined;
  let before: Usage | undefined;
  let hasNews = false;
  return {
    begin() {
      before = total;
      hasNews = false;
    },
    record(now, last) {
      // The total of a resumed thread is unknown before its first new call.
      before ??= subtract(now, last);
      total = now;
      hasNews = true;
    },
    ofTurn: () => (hasNews && total ? subtract(total, before ?? nothing) : undefined),
    ofSession: () => total,
  };
}

const difference = (more: number | undefined, less: number | undefined): number =>
  Math.max(0, (more ?? 0) - (less ?? 0));

const subtract = (more: Usage, less: Usage): Usage => ({
  inputTokens: difference(more.inputTokens, less.inputTokens),
  outputTokens: difference(more.outputTokens, less.outputTokens),
  cacheReadInputTokens: difference(more.cacheReadInputTokens, less.cacheReadInputTokens),
  cacheCreationInputTokens: difference(more.cacheCreationInputTokens, less.cacheCreationInputTokens),
});
