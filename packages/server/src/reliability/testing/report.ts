/**
 * Prints one figure of a suite in the common form. `npm run torture` collects these lines into the table of
 * docs/reliability.md.
 */
export function report(suite: string, measure: string, figure: string): void {
  console.info(`figure | ${suite} | ${measure} | ${figure}`);
}
