import { createHash } from 'node:crypto';

export interface TryCounter {
  /** The number of this try of the same request: 1 for the first. */
  next(request: unknown): number;
}

/**
 * Counts how often the same request arrived. Only faults limited to some tries (`@drop 1`) need it: a retry is
 * identical to the first try, so the count can't be derived from the request.
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
