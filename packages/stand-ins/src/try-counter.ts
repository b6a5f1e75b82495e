import { createHash } from 'node:crypto';

export interface TryCounter {
  /** Which try this is of the same request: 1 for the first. */
  next(request: unknown): number;
}

/**
 * Counts how often the same request came. Only faults limited to some tries (`@drop 1`) need it: a retry looks
 * exactly like the first try, so this one thing cannot be read back from the request.
 */
export function createTryCounter(remembered = 1000): TryCounter {
  const counts = new Map<string, number>();
  return {
    next(request) {
      const key = createHash('sha256').update(JSON.stringify(request)).digest('base64');
      const count = (counts.get(key) ?? 0) + 1;
      counts.delete(key);
      counts.set(key, count);
      const [oldest] = counts.keys();
      if (counts.size > remembered && oldest !== undefined) counts.delete(oldest);
      return count;
    },
  };
}
