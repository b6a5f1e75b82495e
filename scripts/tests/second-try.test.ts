import { expect, test } from 'vitest';
import { deservesSecondTry } from './second-try.mjs';

const files = ['a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts'];

test('a few files with real programs get a second try', () => {
  expect(deservesSecondTry('integration', files.slice(0, 1), {})).toBe(true);
  expect(deservesSecondTry('browser', files.slice(0, 3), {})).toBe(true);
});

test.each([
  ['many files', 'integration', files, {}],
  ['a step that failed without a file', 'integration', [], {}],
  ['unit tests', 'unit', files.slice(0, 1), {}],
  ['types', 'types', files.slice(0, 1), {}],
  ['a run that asked for one try', 'browser', files.slice(0, 1), { LIMINAL_TRY_ONCE: '1' }],
])('%s get none', (_, step, failed, env) => {
  expect(deservesSecondTry(step, failed, env)).toBe(false);
});
