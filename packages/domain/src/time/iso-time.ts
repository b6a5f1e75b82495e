/** The ISO 8601 UTC form of a point in time. The only use of `Date` in this package: it formats, it never asks the clock. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
