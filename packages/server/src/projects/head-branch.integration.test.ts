import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { headBranch } from './head-branch.ts';
import { createTestRepository, type TestRepository } from '../git/testing/test-repository.ts';

const made: TestRepository[] = [];
function repository(options: { init?: boolean } = {}): TestRepository {
  const created = createTestRepository(options);
  made.push(created);
  return created;
}
afterEach(() => {
  for (const each of made.splice(0)) each.cleanup();
});

it('reads the branch of a repository, even before its first commit and from a subfolder', async () => {
  const { dir, git } = repository();
  expect(await headBranch(dir)).toBe('main');
  git('checkout', '--quiet', '-b', 'fix/health-limit');
  mkdirSync(join(dir, 'src/lib'), { recursive: true });
  expect(await headBranch(join(dir, 'src/lib'))).toBe('fix/health-limit');
});

it('reads the branch of a worktree, not that of its repository', async () => {
  const { dir, git, put, commit } = repository();
  put('a', 'a');
  commit();
  const tree = `${dir}-tree`;
  git('worktree', 'add', '--quiet', '-b', 'feature', tree);
  expect([await headBranch(dir), await headBranch(tree)]).toEqual(['main', 'feature']);
  rmSync(tree, { recursive: true });
});

it('reports no branch on a detached HEAD, without a repository, or with a broken HEAD', async () => {
  const { dir, git, put, commit } = repository();
  put('a', 'a');
  commit();
  git('checkout', '--quiet', '--detach');
  expect(await headBranch(dir)).toBeNull();
  writeFileSync(join(dir, '.git/HEAD'), 'x'.repeat(10_000));
  expect(await headBranch(dir)).toBeNull();
  expect(await headBranch(repository({ init: false }).dir)).toBeNull();
});
