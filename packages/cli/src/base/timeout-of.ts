/** The time of --timeout in milliseconds, or null if it isn't valid. */
export function timeoutOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, 2 ** 31 - 1) : null;
}
