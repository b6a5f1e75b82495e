/** Formats a time as ISO 8601 UTC. The only use of `Date` in this package; it never reads the clock. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
