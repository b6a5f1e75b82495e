/**
 * When a process started, in clock ticks since the machine started, from Linux's `/proc/<pid>/stat`. With the id it
 * identifies a process: ids alone are used again.
 */
export function processStartIn(stat: string): number | null {
  // The name is in parentheses and may itself contain spaces and parentheses.
  const started = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isInteger(started) ? started : null;
}
