import { expect, it } from 'vitest';
import { resolveConflictsMessage, suggestPullRequest } from './bring-back.ts';

it('WT-3: asks an agent to merge the base and names the files in conflict', () => {
  const message = resolveConflictsMessage('main', 'fix', ['src/a.ts', 'b.md']);
  expect(message).toContain('Merge the branch `main` into this branch (`fix`)');
  expect(message).toContain('- `src/a.ts`\n- `b.md`');
  expect(message).toContain('commit the merge');
});

it.each([
  ['Fix the login', ['b', 'a'], { title: 'Fix the login', body: '- a\n- b' }],
  ['New session', ['second', 'first'], { title: 'first', body: '- first\n- second' }],
  ['', ['only one'], { title: 'only one', body: '' }],
  ['', [], { title: '', body: '' }],
])('WT-3: suggests a pull request for "%s"', (title, subjects, suggested) => {
  expect(suggestPullRequest(title, subjects)).toEqual(suggested);
});
