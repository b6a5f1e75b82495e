import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findRepository, type Repository } from '../repository.ts';
import { createGitRunner, type GitRunner } from '../run-git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';
import { listWorktrees } from './worktree-list.ts';

const runner = createGitRunner();
let repository: TestRepository;
let found: Repository;
let half: string;
beforeEach(async () => {
  repository = createTestRepository();
  repository.put('a.txt', 'a\n');
  const head = repository.commit();
  half = join(repository.dir, '.git/worktrees/half');
  const opened = await findRepository(runner, repository.dir);
  found = opened.ok ? opened.value : expect.unreachable();
  // As `git worktree add` leaves it for a moment.
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'gitdir'), `${join(repository.dir, 'tree')}/.git\n`);
  writeFileSync(join(half, 'HEAD'), `${head}\n`);
  writeFileSync(join(half, 'commondir'), '');
});
afterEach(() => repository.cleanup());

it('lists worktrees while git adds one', async () => {
  let runs = 0;
  const whileAdding: GitRunner = async (run) => {
    const ran = await runner(run);
    runs += 1;
    if (runs === 2) writeFileSync(join(half, 'commondir'), '../..\n');
    return ran;
  };
  const listed = await listWorktrees(whileAdding, found);
  expect(listed.ok && listed.value.map(({ root }) => root)).toEqual([repository.dir, join(repository.dir, 'tree')]);
  expect(runs).toBe(3);
});

it('says what to do if an interrupted git left half a worktree', async () => {
  const listed = await listWorktrees(runner, found);
  expect(listed).toMatchObject({ ok: false, failure: { message: expect.stringContaining(half) } });
});
