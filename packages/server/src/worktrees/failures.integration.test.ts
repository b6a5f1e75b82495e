import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ok } from '@liminal/contracts';
import { createGit } from '../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../git/run-git.ts';
import { startWorktreeServer, type WorktreeServer } from './testing/worktree-server.ts';

let all: WorktreeServer;
afterEach(() => all.close());

/**
 * A disk that is full for one git command: the command runs and is then reported as failed, as if only part of its
 * output had fit.
 */
const disk: { full: string | null } = { full: null };
const runner = createGitRunner();
const onDisk: GitRunner = async (run) => {
  const ran = await runner(run);
  if (run.args[0] !== disk.full || !ran.ok) return ran;
  return ok({ ...ran.value, code: 128, stderr: 'error: unable to write file a.txt: No space left on device' });
};
afterEach(() => (disk.full = null));
const post = (worktreeId: string, what: string, body = {}) =>
  all.server.call('POST', `/api/worktrees/${worktreeId}/${what}`, body);

it('WT-2: reports a disk that fills up while files are written, and leaves nothing behind', async () => {
  disk.full = 'checkout';
  all = await startWorktreeServer({ git: createGit({ runner: onDisk }) });
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

it('WT-2: leaves no branch behind if git creates it but not the worktree', async () => {
  const failing: GitRunner = async (run) => {
    const ran = await runner(run);
    return ran.ok && run.args[1] === 'add' ? ok({ ...ran.value, code: 128, stderr: 'fatal: broken' }) : ran;
  };
  all = await startWorktreeServer({ git: createGit({ runner: failing }) });
  expect(await all.make({ branch: 'half' })).toMatchObject({ state: 'failed', error: 'Git said: broken' });
  expect(all.repository.git('branch', '--list', 'half')).toBe('');
  expect(all.repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

it('WT-5: reports where a missing worktree’s branch is checked out, and recreates it once it is free', async () => {
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

it('WT-4: reports a full disk when parking or restoring, and loses nothing', async () => {
  all = await startWorktreeServer({ git: createGit({ runner: onDisk }) });
  const { worktreeId, folder } = await all.make({ branch: 'work' });
  writeFileSync(join(folder, 'new.txt'), 'new\n');
  disk.full = 'commit-tree';
  const refused = await post(worktreeId, 'park');
  expect(refused.body.error).toMatchObject({ code: 'GIT_FAILED', message: expect.stringMatching(/^The disk is full/) });
  expect(await all.read(worktreeId)).toMatchObject({ state: 'ready' });
  expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('new\n');
  disk.full = null;
  expect((await post(worktreeId, 'park')).status).toBe(200);

  disk.full = 'checkout';
  const still = await post(worktreeId, 'restore');
  expect(still.body.error.message).toMatch(/^The disk is full/);
  expect(await all.read(worktreeId)).toMatchObject({ state: 'parked' });
  expect(existsSync(folder)).toBe(false);
  disk.full = null;
  expect((await post(worktreeId, 'restore')).body).toMatchObject({ state: 'ready' });
  expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('new\n');
});

it('WT-3: moves nothing in a merge while the index is locked', async () => {
  all = await startWorktreeServer();
  const { worktreeId, folder } = await all.make({ branch: 'work' });
  writeFileSync(join(folder, 'a.txt'), 'by the agent\n');
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qam', 'work'], {
    cwd: folder,
  });
  const lock = join(all.repository.dir, '.git/index.lock');
  const tip = all.repository.git('rev-parse', 'main');
  writeFileSync(lock, '');
  const refused = await post(worktreeId, 'merge', { how: 'merge' });
  expect(refused.body.error).toMatchObject({
    code: 'GIT_BUSY',
    message: expect.stringContaining('Another git command is running in'),
  });
  expect([all.repository.git('rev-parse', 'main'), all.repository.read('a.txt')]).toEqual([tip, 'one\ntwo\n']);
  rmSync(lock);
  expect((await post(worktreeId, 'merge', { how: 'merge' })).status).toBe(200);
  expect(all.repository.read('a.txt')).toBe('by the agent\n');
});

it('WT-5: reports that a session’s worktree was removed by hand, and continues once it is recreated', async () => {
  all = await startWorktreeServer();
  const { sessionId, place } = await all.session();
  all.repository.git('worktree', 'remove', '--force', '--force', place.folder);
  const send = () => all.server.call('POST', `/api/session/${sessionId}/send`, { content: 'go on' });
  const refused = await send();
  expect(refused.body.error).toMatchObject({
    code: 'WORKTREE_NOT_FOUND',
    message: `The worktree's folder ${place.folder} is gone. Recreate it from its branch first.`,
  });
  expect((await post(place.worktreeId, 'recreate')).body).toMatchObject({ state: 'ready' });
  expect((await send()).status).toBe(202);
});

it.each([
  ['a file git considered unchanged is edited', 'src/b.txt'],
  ['a file appears', 'new.txt'],
])('WT-4: removes nothing if %s while the worktree is parked', async (_, name) => {
  let isBusy = true;
  let folder = '';
  const beside: GitRunner = async (run) => {
    if (isBusy && run.args[0] === 'commit-tree') writeFileSync(join(folder, name), 'written meanwhile\n');
    return runner(run);
  };
  all = await startWorktreeServer({ git: createGit({ runner: beside }) });
  const made = await all.make();
  ({ folder } = made);
  expect((await post(made.worktreeId, 'park')).body.error).toMatchObject({ code: 'STALE' });
  expect(readFileSync(join(folder, name), 'utf8')).toBe('written meanwhile\n');
  expect(await all.read(made.worktreeId)).toMatchObject({ state: 'ready' });
  isBusy = false;
  expect((await post(made.worktreeId, 'park')).status).toBe(200);
  expect((await post(made.worktreeId, 'restore')).status).toBe(200);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('written meanwhile\n');
});
