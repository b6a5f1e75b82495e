import type { Usage } from '@liminal/contracts';

const nothing: Usage = { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };

/** What a turn used, from totals of the whole thread. */
export type TurnUsage = {
  /** A turn begins. */
  begin(): void;
  /** `last` is what the newest model call used, and part of `total`. */
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
      // Of a thread that was resumed the total is not known before its first new call.
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
