import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { ok } from '@liminal/contracts';
import { createGit } from '../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../git/run-git.ts';
import { startWorktreeServer, type WorktreeServer } from './testing/worktree-server.ts';

let all: WorktreeServer;
afterEach(() => all.close());

it('WT-2: a disk that is full while files are written is said, and nothing is left behind', async () => {
  const runner = createGitRunner();
  // Its files are written and then refused, as by a disk that had room for some of them.
  const onFullDisk: GitRunner = async (run) => {
    const ran = await runner(run);
    if (run.args[0] !== 'checkout' || !ran.ok) return ran;
    return ok({ ...ran.value, code: 128, stderr: 'error: unable to write file a.txt: No space left on device' });
  };
  all = await startWorktreeServer({ git: createGit({ runner: onFullDisk }) });
  const body = { cliType: 'scripted', projectId: all.projectId, place: { kind: 'worktree', branch: 'full' } };
  const refused = await all.server.call('POST', '/api/session/create', body);
  expect(refused.body.error).toMatchObject({ code: 'GIT_FAILED' });
  expect(refused.body.error.message).toBe(
    'The disk is full. Free some space, then try again. Nothing was left behind.',
  );
  expect(all.repository.git('branch', '--list', 'full')).toBe('');
  expect(all.repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(await all.list()).toEqual([]);
});

it('WT-5: a missing worktree whose branch is checked out elsewhere says where, and is recreated once it is free', async () => {
  all = await startWorktreeServer();
  const { worktreeId, folder } = await all.make({ branch: 'work' });
  rmSync(folder, { recursive: true });
  all.repository.git('checkout', '--quiet', '--ignore-other-worktrees', 'work');
  const recreate = () => all.server.call('POST', `/api/worktrees/${worktreeId}/recreate`);
  const refused = await recreate();
  expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
  expect(refused.body.error.message).toBe(
    `The branch "work" is checked out in ${all.repository.dir}. Switch to another one there.`,
  );
  expect(existsSync(folder)).toBe(false);
  all.repository.git('checkout', '--quiet', 'main');
  expect((await recreate()).body).toMatchObject({ state: 'ready', branch: 'work' });
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder }).toString()).toBe('');
});
