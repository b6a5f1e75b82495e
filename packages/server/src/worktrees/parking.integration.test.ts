import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { folderState } from './testing/folder-state.ts';
import { makeOddWork } from './testing/odd-work.ts';
import { startWorktreeServer, type WorktreeServer } from './testing/worktree-server.ts';

let all: WorktreeServer;
beforeEach(async () => {
  all = await startWorktreeServer();
});
afterEach(() => all.close());

const post = (url: string, body?: unknown) => all.server.call('POST', `/api/worktrees/${url}`, body ?? {});
const gitIn = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();

describe('a parked worktree', () => {
  it.each([
    ['as it is', []],
    ['with converted line ends', ['core.autocrlf', 'true']],
    ['with a split index', ['core.splitIndex', 'true']],
  ])('WT-4: is restored byte for byte, %s, even after git’s garbage collection', async (_, setting) => {
    if (setting.length > 0) all.repository.git('config', ...setting);
    const { folder, worktreeId } = await all.make({ branch: 'odd' });
    makeOddWork(folder);
    const before = folderState(folder);
    expect((await post(`${worktreeId}/park`)).status).toBe(200);
    expect(existsSync(folder)).toBe(false);
    expect(await all.read(worktreeId)).toMatchObject({ state: 'parked', dirty: true, ahead: 1, size: 0 });
    expect(all.repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(all.repository.git('log', '--branches', '--format=%s')).not.toContain('Parked');
    all.repository.git('gc', '--quiet', '--prune=now');
    expect((await post(`${worktreeId}/restore`)).body).toMatchObject({ state: 'ready', branch: 'odd' });
    expect(folderState(folder)).toEqual(before);
    expect(all.repository.git('for-each-ref', 'refs/liminal/park')).toBe('');
  });

  it('WT-4: keeps an unfinished merge with all sides of its conflict', async () => {
    const { folder, worktreeId } = await all.make({ branch: 'merging' });
    all.repository.put('a.txt', 'theirs\n');
    all.repository.commit();
    writeFileSync(join(folder, 'a.txt'), 'ours\n');
    gitIn(folder, 'commit', '--quiet', '--all', '--message', 'ours');
    expect(() => gitIn(folder, 'merge', 'main')).toThrow();
    const before = folderState(folder);
    expect((await post(`${worktreeId}/park`)).status).toBe(200);
    all.repository.git('gc', '--quiet', '--prune=now');
    expect((await post(`${worktreeId}/restore`)).status).toBe(200);
    expect(folderState(folder)).toEqual(before);
    writeFileSync(join(folder, 'a.txt'), 'both\n');
    gitIn(folder, 'commit', '--quiet', '--all', '--no-edit');
    expect(gitIn(folder, 'log', '-1', '--format=%p').trim().split(' ')).toHaveLength(2);
  });

  it('WT-4: keeps the changes that an unfinished merge has stashed', async () => {
    const { folder, worktreeId } = await all.make({ branch: 'stashing' });
    all.repository.put('a.txt', 'theirs\n');
    all.repository.commit();
    writeFileSync(join(folder, 'a.txt'), 'ours\n');
    gitIn(folder, 'commit', '--quiet', '--all', '--message', 'ours');
    writeFileSync(join(folder, 'src/b.txt'), 'stashed\n');
    expect(() => gitIn(folder, 'merge', '--autostash', 'main')).toThrow();
    expect((await post(`${worktreeId}/park`)).status).toBe(200);
    all.repository.git('gc', '--quiet', '--prune=now');
    expect((await post(`${worktreeId}/restore`)).status).toBe(200);
    gitIn(folder, 'merge', '--abort');
    expect(gitIn(folder, 'status', '--porcelain')).toBe(' M src/b.txt\n');
  });

  it.each([
    ['cherry-pick', ['cherry-pick', 'main~1', 'main'], ['cherry-pick', '--abort']],
    ['bisect', ['bisect', 'start'], ['bisect', 'reset']],
  ])('WT-4: isn’t parked during a %s, whose further steps can’t be kept', async (what, begin, end) => {
    const { folder, worktreeId } = await all.make();
    for (const text of ['one', 'two']) {
      all.repository.put('a.txt', text);
      all.repository.commit();
    }
    writeFileSync(join(folder, 'a.txt'), 'ours\n');
    gitIn(folder, 'commit', '--quiet', '--all', '--message', 'ours');
    try {
      gitIn(folder, ...begin);
    } catch {
      // A conflict.
    }
    const refused = await post(`${worktreeId}/park`);
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'GIT_BUSY']);
    expect(refused.body.error.message).toContain(`A ${what}`);
    gitIn(folder, ...end);
    expect((await post(`${worktreeId}/park`)).status).toBe(200);
  });

  it('WT-4: keeps what a filter or an attribute of the repository would change', async () => {
    all.repository.git('config', 'filter.public.clean', 'sed /secret/d');
    all.repository.put('.gitattributes', '* text=auto\n*.note filter=public\n*.bat text eol=crlf\n');
    all.repository.put('x.note', 'public\n');
    all.repository.put('x.bat', 'one\r\ntwo\r\n');
    all.repository.commit();
    const { folder, worktreeId } = await all.make({ branch: 'filtered' });
    writeFileSync(join(folder, 'x.note'), 'public\nsecret\n');
    writeFileSync(join(folder, 'x.bat'), 'one\ntwo\r\n');
    gitIn(folder, 'add', '--all');
    expect(gitIn(folder, 'status', '--porcelain')).toBe('');
    const before = folderState(folder);
    expect((await post(`${worktreeId}/park`)).status).toBe(200);
    expect(await all.read(worktreeId)).toMatchObject({ state: 'parked', dirty: false });
    expect((await post(`${worktreeId}/restore`)).status).toBe(200);
    expect(folderState(folder)).toEqual(before);
  });

  it('WT-4: names large ignored files first, and drops or keeps them as the user decides', async () => {
    const { folder, worktreeId } = await all.make();
    mkdirSync(join(folder, 'big'));
    writeFileSync(join(folder, 'big/data'), Buffer.alloc(11 * 1024 * 1024));
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'node_modules/x.js'), 'small');
    const notKept = [{ path: 'big/', size: 11 * 1024 * 1024 }];
    expect((await post(`${worktreeId}/park`, { dryRun: true })).body).toEqual({ notKept });
    const refused = await post(`${worktreeId}/park`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'WORKTREE_DIRTY']);
    expect(refused.body.error).toMatchObject({ details: { notKept } });
    expect(existsSync(join(folder, 'big/data'))).toBe(true);
    expect((await post(`${worktreeId}/park`, { keep: ['big'] })).body).toEqual({ notKept: [] });
    await post(`${worktreeId}/restore`);
    expect(existsSync(join(folder, 'big/data'))).toBe(true);
    expect((await post(`${worktreeId}/park`, { dropIgnored: true })).body).toEqual({ notKept });
    await post(`${worktreeId}/restore`);
    expect([existsSync(join(folder, 'big')), existsSync(join(folder, 'node_modules/x.js'))]).toEqual([false, true]);
  });

  it('WT-4: is restored on a new branch if its branch has moved or is checked out elsewhere', async () => {
    const { folder, worktreeId } = await all.make({ branch: 'taken' });
    writeFileSync(join(folder, 'a.txt'), 'mine\n');
    await post(`${worktreeId}/park`);
    all.repository.git('checkout', '--quiet', 'taken');
    const { body } = await post(`${worktreeId}/restore`);
    expect(body).toMatchObject({ state: 'ready', branch: 'taken-restored' });
    expect(body['notice']).toContain(`is checked out in ${all.repository.dir}`);
    expect(gitIn(folder, 'status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('is refused if something can’t be kept, and nothing is removed', async () => {
    const { folder, worktreeId } = await all.make();
    mkdirSync(join(folder, 'nested'));
    gitIn(join(folder, 'nested'), 'init', '--quiet');
    expect((await post(`${worktreeId}/park`)).body.error.message).toContain('"nested/" is a separate repository');
    rmSync(join(folder, 'nested'), { recursive: true });
    const gitDir = gitIn(folder, 'rev-parse', '--absolute-git-dir').trim();
    writeFileSync(join(gitDir, 'index.lock'), '');
    expect((await post(`${worktreeId}/park`)).body.error.code).toBe('GIT_BUSY');
    rmSync(join(gitDir, 'index.lock'));
    expect(await all.read(worktreeId)).toMatchObject({ state: 'ready' });
    expect((await post(`${worktreeId}/restore`)).body.error.code).toBe('NOT_SUPPORTED');
  });

  it('WT-4: can’t be removed while it holds work', async () => {
    const { folder, worktreeId } = await all.make();
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    await post(`${worktreeId}/park`);
    const remove = () => all.server.call('DELETE', `/api/worktrees/${worktreeId}`);
    expect((await remove()).body.error.code).toBe('WORKTREE_DIRTY');
    await post(`${worktreeId}/restore`);
    rmSync(join(folder, 'new.txt'));
    await post(`${worktreeId}/park`);
    expect((await remove()).status).toBe(204);
  });
});

describe('a session in a worktree', () => {
  it('WT-4: is parked when archived, and the next message restores it first', async () => {
    const { sessionId, place } = await all.session();
    writeFileSync(join(place.folder, 'a.txt'), 'not committed\n');
    await all.server.call('PATCH', `/api/session/${sessionId}`, { archived: true });
    const state = async () => (await all.read(place.worktreeId)).state;
    await vi.waitUntil(async () => (await state()) === 'parked' && !existsSync(place.folder), { timeout: 30_000 });
    expect(all.server.provider.isAlive(sessionId)).toBe(false);
    const sent = await all.server.call('POST', `/api/session/${sessionId}/send`, { content: 'hello' });
    expect(sent.status).toBe(202);
    expect([await state(), existsSync(join(place.folder, 'a.txt'))]).toEqual(['ready', true]);
  });

  it('CP-7: leaves no checkpoint in the repository when it is deleted while parked', async () => {
    const { sessionId, place } = await all.session();
    const { provider } = all.server;
    await all.server.call('POST', `/api/session/${sessionId}/send`, { content: 'work' });
    await vi.waitUntil(() => provider.sent.length > 0, { timeout: 30_000 });
    provider.start(sessionId);
    provider.end(sessionId);
    const ended = () => all.server.store.checkpoints(sessionId).some(({ after }) => after !== null);
    await vi.waitUntil(ended, { timeout: 30_000 });
    await vi.waitUntil(async () => (await post(`${place.worktreeId}/park`)).status === 200, { timeout: 30_000 });
    const kept = () => all.repository.git('for-each-ref', 'refs/liminal/turn');
    expect(kept()).not.toBe('');
    await all.server.call('DELETE', `/api/session/${sessionId}`);
    expect(kept()).toBe('');
  });

  it('WT-4: keeps its folder during a running turn or while a terminal is open', async () => {
    const { sessionId, place } = await all.session();
    await all.server.call('POST', `/api/session/${sessionId}/send`, { content: 'work' });
    await vi.waitUntil(() => all.server.provider.sent.length > 0, { timeout: 30_000 });
    const refused = await post(`${place.worktreeId}/park`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'TURN_RUNNING']);
    expect(existsSync(place.folder)).toBe(true);
  });
});
