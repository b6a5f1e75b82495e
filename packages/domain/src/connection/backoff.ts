export type BackoffLimits = { readonly firstMs: number; readonly maxMs: number };

const defaultLimits: BackoffLimits = { firstMs: 250, maxMs: 10_000 };

/**
 * How long to wait before trying again, after `failures` tries in a row that failed (0 for the first wait). The wait
 * is in the upper half of a window that doubles each time; `jitter` (0 to 1) picks the place in it, so many
 * readers cut by the same restart do not come back in the same instant.
 */
export function backoff(failures: number, jitter: number, limits: BackoffLimits = defaultLimits): number {
  const window = Math.min(limits.maxMs, 2 * limits.firstMs * 2 ** Math.max(0, failures));
  return Math.round((window / 2) * (1 + Math.min(1, Math.max(0, jitter))));
}
