import { describe, expect, it } from 'vitest';
import { failedTests, failuresOf, summary } from './failures.ts';

const output = [
  '\u001B[31m FAIL \u001B[39m integration  packages/a.integration.test.ts > a thing > works',
  ' FAIL  integration  packages/a.integration.test.ts > a thing > works',
  ' FAIL  |integration| packages/b.integration.test.ts [ packages/b.integration.test.ts ]',
  ' ✓ packages/c.test.ts > FAIL is only a word here',
].join('\n');

describe('failures in many runs', () => {
  it('lists each failed test of a run once', () => {
    expect(failedTests(output)).toEqual([
      'integration  packages/a.integration.test.ts > a thing > works',
      '|integration| packages/b.integration.test.ts',
    ]);
  });

  it('names the step if no test is named', () => {
    expect(failuresOf('tests 1', 'lint', 'Found 1 error.')).toEqual([{ run: 'tests 1', step: 'lint', test: '' }]);
  });

  it('counts failures over several runs, most frequent first', () => {
    const failures = [
      { run: 'tests 1', step: 'lint', test: '' },
      { run: 'tests 1', step: 'unit', test: 'a' },
      { run: 'tests 2', step: 'unit', test: 'a' },
    ];
    expect(summary(failures)).toEqual([
      '2 × unit: a (tests 1, tests 2)',
      '1 × lint: failed without naming a test (tests 1)',
    ]);
  });
});
