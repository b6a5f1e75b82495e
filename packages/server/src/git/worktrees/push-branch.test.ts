import { expect, it } from 'vitest';
import { pushFailure } from './push-branch.ts';

const cases = [
  [' ! [rejected]  a -> a (non-fast-forward)', 'STALE', "has commits on this branch that you don't have"],
  ['fatal: Authentication failed for x', 'GIT_FAILED', 'rejected your credentials'],
  ['fatal: could not read Username for x: terminal prompts disabled', 'GIT_FAILED', 'rejected your credentials'],
  ['git@x: Permission denied (publickey).', 'GIT_FAILED', 'rejected your credentials'],
  ['fatal: unable to access x: Could not resolve host: x', 'GIT_FAILED', "can't be reached"],
  ["fatal: 'x' does not appear to be a git repository", 'GIT_FAILED', "can't be reached"],
  ['fatal: something else', 'GIT_FAILED', 'Git said: something else'],
  ['', 'GIT_FAILED', '"origin" rejected the push.'],
] as const;

it.each(cases)('WT-3: explains a failed push: %s', (stderr, code, sentence) => {
  const failed = pushFailure(stderr, 'origin', 'output');
  expect(failed).toMatchObject({ ok: false, failure: { code, details: { output: 'output' } } });
  expect(failed.ok ? '' : failed.failure.message).toContain(sentence);
});
