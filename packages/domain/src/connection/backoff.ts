export type BackoffLimits = { readonly firstMs: number; readonly maxMs: number };

const defaultLimits: BackoffLimits = { firstMs: 250, maxMs: 10_000 };

/**
 * How long to wait before the next try, after `failures` failed tries in a row (0 for the first wait). The wait is in
 * the upper half of a window that doubles each time; `jitter` (0 to 1) picks the point in it, so readers disconnected
 * by the same restart don't all return at the same moment.
 */
export function backoff(failures: number, jitter: number, limits: BackoffLimits = defaultLimits): number {
  const window = Math.min(limits.maxMs, 2 * limits.firstMs * 2 ** Math.max(0, failures));
  return Math.round((window / 2) * (1 + Math.min(1, Math.max(0, jitter))));
}
