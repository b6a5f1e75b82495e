/**
 * One figure of a suite, in the one form that all of them print: `npm run torture` gathers these lines into the table of
 * docs/reliability.md.
 */
export function report(suite: string, measure: string, figure: string): void {
  console.info(`figure | ${suite} | ${measure} | ${figure}`);
}
