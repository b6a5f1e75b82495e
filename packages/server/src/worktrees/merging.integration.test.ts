import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
