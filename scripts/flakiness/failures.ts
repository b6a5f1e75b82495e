/** One test that failed in one run. `test` is empty if a step failed without naming one. */
export type Failure = { readonly run: string; readonly step: string; readonly test: string };

// oxlint-disable-next-line no-control-regex -- the sequences that colour what vitest prints
const colours = /\u001B\[[0-9;]*m/g;
const failed = /^\s*FAIL\s+(.+?)(?:\s+\[ .+ \])?\s*$/gm;

/** The tests that vitest reports as failed, each once: it lists a test again for every assertion. */
export const failedTests = (output: string): string[] => [
  ...new Set([...output.replaceAll(colours, '').matchAll(failed)].map(([, test = '']) => test)),
];

export function failuresOf(run: string, step: string, output: string): Failure[] {
  const tests = failedTests(output);
  return (tests.length > 0 ? tests : ['']).map((test) => ({ run, step, test }));
}

/** The failures, most frequent first, with their runs. */
export function summary(failures: readonly Failure[]): string[] {
  const name = ({ step, test }: Failure) => `${step}: ${test === '' ? 'failed without naming a test' : test}`;
  return [...Map.groupBy(failures, name)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([what, found]) => `${found.length} × ${what} (${found.map(({ run }) => run).join(', ')})`);
}
