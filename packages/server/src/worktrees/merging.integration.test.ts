import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveBranchBack } from '../git/worktrees/merge-branch.ts';
import { findRepository } from '../git/repository.ts';
import { createGitRunner } from '../git/run-git.ts';
import { startWorktreeServer, type WorktreeServer } from './testing/worktree-server.ts';

let all: WorktreeServer;
let worktreeId: string;
let folder: string;
beforeEach(async () => {
  all = await startWorktreeServer();
  ({ worktreeId, folder } = await all.make({ branch: 'work' }));
});
afterEach(() => all.close());

const gitIn = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Eve', '-c', 'user.email=e@example.org', ...args], { cwd: folder }).toString();
const commit = (path: string, content: string, message: string): void => {
  writeFileSync(join(folder, path), content);
  gitIn('add', '--all');
  gitIn('commit', '--quiet', '--message', message);
};
const merge = (body: object) => all.server.call('POST', `/api/worktrees/${worktreeId}/merge`, body);
const log = (format: string): string[] =>
  all.repository.git('log', '--first-parent', `--format=${format}`, 'main').trim().split('\n');

describe('merging a worktree back', () => {
  beforeEach(() => {
    commit('new.txt', 'new\n', 'first');
    commit('a.txt', 'one\ntwo\nthree\n', 'second');
    all.repository.put('src/b.txt', 'changed on main\n');
    all.repository.commit('on main');
  });

  it('WT-3: previews the result without moving anything', async () => {
    const before = all.repository.git('for-each-ref', 'refs/heads');
    const { body } = await merge({ how: 'merge', dryRun: true });
    const subjects = ['second', 'first'];
    expect(body).toEqual({ commits: 2, subjects, files: ['a.txt', 'new.txt'], fastForward: false, dirty: false });
    expect(all.repository.git('for-each-ref', 'refs/heads')).toBe(before);
    expect(all.repository.git('status', '--porcelain')).toBe('');
  });

  it.each([
    ['merge', ["Merge branch 'work' into main", 'on main']],
    ['squash', ["Squash branch 'work'", 'on main']],
    ['rebase', ['second', 'first', 'on main']],
  ])('WT-3: %s moves the branch and its folder, and keeps uncommitted changes there', async (how, subjects) => {
    all.repository.put('untracked.txt', 'mine\n');
    const { status, body } = await merge({ how });
    expect([status, body['commit']]).toEqual([200, all.repository.git('rev-parse', 'main').trim()]);
    expect(log('%s').slice(0, subjects.length)).toEqual(subjects);
    expect(all.repository.read('a.txt')).toBe('one\ntwo\nthree\n');
    expect(all.repository.read('src/b.txt')).toBe('changed on main\n');
    expect(all.repository.git('status', '--porcelain')).toBe('?? untracked.txt\n');
    if (how === 'rebase') expect(log('%an').slice(0, 2)).toEqual(['Eve', 'Eve']);
  });

  it('WT-3: names the files of a conflict and changes nothing, even for a rebase', async () => {
    all.repository.put('a.txt', 'one\nmain\n');
    const tip = all.repository.commit('conflicting');
    for (const how of ['merge', 'rebase']) {
      const { status, body } = await merge({ how });
      expect([status, body.error]).toMatchObject([409, { code: 'CONFLICT', details: { files: ['a.txt'] } }]);
    }
    expect(all.repository.git('rev-parse', 'main').trim()).toBe(tip);
    expect(all.repository.git('status', '--porcelain')).toBe('');
  });

  it('WT-3: refuses if uncommitted changes on either side are in the way, or there is nothing to merge', async () => {
    all.repository.put('a.txt', 'not committed\n');
    expect((await merge({ how: 'merge' })).body.error.code).toBe('WORKTREE_DIRTY');
    expect(all.repository.read('a.txt')).toBe('not committed\n');
    all.repository.git('checkout', '--quiet', 'a.txt');
    writeFileSync(join(folder, 'a.txt'), 'not committed\n');
    expect((await merge({ how: 'merge' })).body.error.code).toBe('WORKTREE_DIRTY');
    gitIn('checkout', '--quiet', 'a.txt');
    expect((await merge({ how: 'merge', into: 'gone' })).body.error.message).toContain('"gone" no longer exists');
    expect((await merge({ how: 'merge' })).status).toBe(200);
    expect((await merge({ how: 'merge' })).body.error.code).toBe('NOTHING_TO_COMMIT');
  });
});

it('WT-3: moves a branch that is not checked out, and fast-forwards if possible', async () => {
  all.repository.git('branch', 'release');
  commit('new.txt', 'new\n', 'first');
  expect((await merge({ how: 'merge', into: 'release', dryRun: true })).body).toMatchObject({ fastForward: true });
  expect((await merge({ how: 'merge', into: 'release' })).body).toEqual({ commit: gitIn('rev-parse', 'HEAD').trim() });
  expect(all.repository.git('show', 'release:new.txt')).toBe('new\n');
});

it('WT-3: merges the branch that the agent switched to, and none if it is on no branch', async () => {
  gitIn('switch', '--quiet', '--create', 'fix/x');
  commit('new.txt', 'new\n', 'first');
  expect((await merge({ how: 'merge', dryRun: true })).body).toMatchObject({ commits: 1, subjects: ['first'] });
  expect((await merge({ how: 'squash' })).status).toBe(200);
  expect([log('%s')[0], all.repository.read('new.txt')]).toEqual(["Squash branch 'fix/x'", 'new\n']);
  gitIn('switch', '--quiet', '--detach');
  const { body } = await merge({ how: 'merge' });
  expect(body.error).toMatchObject({ code: 'NOT_SUPPORTED', message: expect.stringMatching(/^No branch is/) });
});

describe('a rebase in the project’s folder', () => {
  const startRebase = (branch: string): void => {
    all.repository.put('a.txt', 'main\n');
    all.repository.commit('on main');
    expect(() => all.repository.git('rebase', '--quiet', 'main', branch)).toThrow();
  };

  it('WT-3: prevents a merge into its branch, which the end of the rebase would drop', async () => {
    all.repository.git('switch', '--quiet', '--create', 'release');
    all.repository.put('a.txt', 'release\n');
    const tip = all.repository.commit('on release');
    all.repository.git('switch', '--quiet', 'main');
    startRebase('release');
    commit('new.txt', 'new\n', 'first');
    expect((await merge({ how: 'merge', into: 'release' })).body.error).toEqual({
      code: 'GIT_BUSY',
      message: 'A rebase of "release" is in progress. Finish or abort it first.',
    });
    expect(all.repository.git('rev-parse', 'release').trim()).toBe(tip);
    all.repository.git('rebase', '--abort');
    expect((await merge({ how: 'merge', into: 'release' })).status).toBe(200);
  });

  it('WT-4: keeps its branch when the worktree of the same branch is removed', async () => {
    commit('a.txt', 'work\n', 'first');
    all.repository.git('branch', 'copy', 'work');
    gitIn('checkout', '--quiet', '--detach');
    startRebase('work');
    expect((await all.server.call('DELETE', `/api/worktrees/${worktreeId}`)).status).toBe(204);
    expect(all.repository.git('rev-parse', 'work')).toBe(all.repository.git('rev-parse', 'copy'));
  });
});

describe('an ignored file in the folder of the target branch', () => {
  it('WT-3: is not overwritten by a merge that adds a file of that name', async () => {
    all.repository.put('.env', 'mine\n');
    writeFileSync(join(folder, '.gitignore'), '');
    commit('.env', 'theirs\n', 'tracks .env');
    const { body } = await merge({ how: 'merge' });
    expect(body.error).toMatchObject({ code: 'WORKTREE_DIRTY', details: { files: ['.env'] } });
    expect(all.repository.read('.env')).toBe('mine\n');
  });

  it('WT-3: is not overwritten by undoing a merge that deleted a file of that name', async () => {
    const runner = createGitRunner();
    const found = await findRepository(runner, all.repository.dir);
    const tree = found.ok ? found.value : expect.unreachable();
    const from = all.repository.git('rev-parse', 'main').trim();
    rmSync(join(folder, 'a.txt'));
    rmSync(join(folder, 'src'), { recursive: true });
    commit('.gitignore', 'a.txt\nsrc\n', 'ignores a.txt and src');
    const to = String((await merge({ how: 'merge' })).body['commit']);
    const undo = () => moveBranchBack(runner, tree, 'main', { from, to });
    for (const path of ['a.txt', 'src']) {
      all.repository.put(path, 'mine\n');
      expect(await undo()).toMatchObject({ failure: { code: 'WORKTREE_DIRTY' } });
      expect(all.repository.read(path)).toBe('mine\n');
      all.repository.remove(path);
    }
    expect(await undo()).toEqual({ ok: true, value: null });
    expect([all.repository.read('a.txt'), all.repository.read('src/b.txt')]).toEqual(['one\ntwo\n', 'b\n']);
  });

  it('WT-3: doesn’t prevent undoing a merge that made a folder out of a file', async () => {
    const runner = createGitRunner();
    const found = await findRepository(runner, all.repository.dir);
    const tree = found.ok ? found.value : expect.unreachable();
    const from = all.repository.git('rev-parse', 'main').trim();
    rmSync(join(folder, 'a.txt'));
    mkdirSync(join(folder, 'a.txt'));
    commit('a.txt/inner', 'x\n', 'a folder');
    all.repository.put('.env', 'mine\n');
    const to = String((await merge({ how: 'merge' })).body['commit']);
    expect(await moveBranchBack(runner, tree, 'main', { from, to })).toEqual({ ok: true, value: null });
    expect([all.repository.read('a.txt'), all.repository.read('.env')]).toEqual(['one\ntwo\n', 'mine\n']);
  });
});
