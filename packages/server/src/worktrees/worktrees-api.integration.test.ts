import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectSettings } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../providers/provider-error.ts';
import { startWorktreeServer, type WorktreeServer } from './testing/worktree-server.ts';

let all: WorktreeServer;
beforeEach(async () => {
  all = await startWorktreeServer();
});
afterEach(() => all.close());

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'PUT', url: string, body?: unknown) =>
  all.server.call(method, url, body);
const file = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

describe('a new worktree', () => {
  it('WT-1 WT-2: is created outside the repository, locked, on a new branch at a fixed commit', async () => {
    const base = all.repository.git('rev-parse', 'HEAD').trim();
    const worktree = await all.make({ base: 'main', branch: 'feature/one' });
    expect(worktree).toMatchObject({ state: 'ready', branch: 'feature/one', base: 'main', dirty: false, ahead: 0 });
    expect(worktree.folder.startsWith(all.repository.dir + '/')).toBe(false);
    expect(file(worktree.folder, 'a.txt')).toBe('one\ntwo\n');
    all.repository.put('a.txt', 'later\n');
    all.repository.commit();
    expect(all.repository.git('rev-parse', 'feature/one').trim()).toBe(base);
    expect(all.repository.git('worktree', 'list', '--porcelain')).toContain(`locked liminal ${worktree.worktreeId}`);
    expect(all.repository.git('status', '--porcelain')).toBe('');
  });

  it('WT-1: hosts a session that reports project, folder and branch everywhere', async () => {
    const { sessionId, place } = await all.session({ kind: 'worktree', branch: 'feature/two' });
    expect(place).toMatchObject({ kind: 'worktree', branch: 'feature/two' });
    expect(all.server.provider.created[0]).toMatchObject({
      projectDir: place.folder,
      providerOptions: { trusted: true },
    });
    const status = (await call('GET', `/api/session/${sessionId}/status`)).body;
    const listed = (await call('GET', `/api/session/list?projectId=${all.projectId}`)).body['sessions'];
    expect([status['place'], (listed as { place: unknown }[])[0]?.place]).toEqual([place, place]);
    expect(await all.read(place.worktreeId)).toMatchObject({ sessionId, projectId: all.projectId });
    all.repository.put('only-in-the-folder.txt', '');
    const found = await call('GET', `/api/projects/${all.projectId}/files?q=b.txt&worktreeId=${place.worktreeId}`);
    expect(found.body['files']).toMatchObject([{ path: 'src/b.txt' }]);
    const sent = await call('POST', `/api/session/${sessionId}/send`, {
      content: 'x',
      mentions: ['only-in-the-folder.txt'],
    });
    expect(sent.status).toBe(400);
    const changes = await call('GET', `/api/session/${sessionId}/changes?scope=uncommitted`);
    expect(changes.body).toMatchObject({ folder: place.folder, branch: 'feature/two', total: 0 });
  });

  it('G-7 WT-2: copies ignored files that the base commit names, and follows no links', async () => {
    const { repository } = all;
    repository.put('.worktreeinclude', '.env\nbig/\nlinked\n');
    repository.put('.gitignore', '.env\nnode_modules/\nbig/\nlinked\n');
    repository.commit();
    repository.put('.worktreeinclude', '.env\nnode_modules/\n');
    repository.put('.env', 'SECRET=1\n', 0o600);
    repository.put('big/deep/data', 'data');
    repository.put('node_modules/x/.env', 'not this one');
    symlinkSync('/etc/passwd', join(repository.dir, 'linked'));
    const { folder } = await all.make();
    expect(file(folder, '.env')).toBe('SECRET=1\n');
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    expect(file(folder, 'big/deep/data')).toBe('data');
    expect([existsSync(join(folder, 'node_modules')), existsSync(join(folder, 'linked'))]).toEqual([false, false]);
  });

  it('G-7: requires confirmation if the base’s agent settings differ from the trusted folder’s', async () => {
    const { repository } = all;
    repository.git('checkout', '--quiet', '-b', 'theirs');
    repository.put('.claude/settings.json', '{"hooks":{}}');
    repository.put('.mcp.json', '{}');
    repository.commit();
    repository.git('checkout', '--quiet', 'main');
    const refused = await call('POST', `/api/projects/${all.projectId}/worktrees`, { base: 'theirs' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PROJECT_NOT_TRUSTED']);
    expect(refused.body.error).toMatchObject({ details: { files: ['.claude/settings.json', '.mcp.json'] } });
    expect(repository.git('branch', '--list', 'liminal/*')).toBe('');
    expect((await all.make({ base: 'theirs', trustConfiguration: true })).state).toBe('ready');
    expect((await all.make({ base: 'main' })).state).toBe('ready');
  });

  it('RV-7 WT-2: rejects an impossible request with a clear message, and leaves nothing behind', async () => {
    const cases = [
      [{ base: 'gone' }, 'There is no branch "gone" in this repository. Choose another base.'],
      [{ branch: 'main' }, `The branch "main" already exists, so "main" can't be used. Choose another name.`],
      [{ branch: 'Main/x' }, `The branch "main" already exists, so "Main/x" can't be used. Choose another name.`],
      [{ branch: 'a..b' }, `"a..b" can't be the name of a branch. Choose another.`],
    ] as const;
    for (const [body, sentence] of cases) {
      const refused = await call('POST', `/api/projects/${all.projectId}/worktrees`, body);
      expect(refused.body.error.message).toBe(sentence);
    }
    await all.settings({ worktreeFolder: join(all.repository.dir, 'inside') });
    const inside = await call('POST', `/api/projects/${all.projectId}/worktrees`, {});
    expect(inside.body.error.message).toContain("Worktrees can't be inside the repository");
    await call('POST', `/api/projects/${all.projectId}/trust`, { trusted: false });
    const untrusted = await call('POST', `/api/projects/${all.projectId}/worktrees`, {});
    expect(untrusted.body.error.code).toBe('PROJECT_NOT_TRUSTED');
    expect(await all.list()).toEqual([]);
    expect(all.repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(all.repository.git('branch').trim()).toBe('* main');
  });

  it('WT-2: reports that submodules are empty in it', async () => {
    all.repository.put('.gitmodules', '[submodule "m"]\n\tpath = m\n\turl = ./m\n');
    all.repository.commit();
    expect((await all.make()).notice).toContain('Submodules are empty in a worktree.');
  });
});

describe('the setup command', () => {
  it('WT-2: runs in the worktree with visible output, and delays the session until it is done', async () => {
    await all.settings({
      setupCommand: 'echo "in $PWD"; echo "$LIMINAL_BRANCH from $LIMINAL_SOURCE" >&2; echo > made',
    });
    const { place } = await all.session({ kind: 'worktree', branch: 'set-up' });
    const { setup, state } = await all.read(place.worktreeId);
    expect(state).toBe('ready');
    expect(setup).toMatchObject({
      exitCode: 0,
      running: false,
      output: `in ${place.folder}\nset-up from ${all.repository.dir}\n`,
    });
    expect(existsSync(join(place.folder, 'made'))).toBe(true);
  });

  it('WT-2: prevents the agent from starting if it fails, until the user starts anyway', async () => {
    await all.settings({ setupCommand: 'echo no luck; exit 3' });
    const refused = await call('POST', '/api/session/create', {
      cliType: 'scripted',
      projectId: all.projectId,
      place: { kind: 'worktree' },
    });
    expect([refused.status, refused.body.error.code]).toEqual([502, 'SESSION_CREATE_FAILED']);
    expect(refused.body.error.message).toContain('exit code 3');
    expect(all.server.provider.created).toEqual([]);
    const [worktree] = await all.list();
    expect(worktree).toMatchObject({ state: 'failed', setup: { output: 'no luck\n', exitCode: 3 } });
    const { worktreeId = '' } = worktree ?? {};
    const again = { kind: 'worktree', worktreeId };
    const still = await call('POST', '/api/session/create', {
      cliType: 'scripted',
      projectId: all.projectId,
      place: again,
    });
    expect(still.status).toBe(502);
    expect((await call('POST', `/api/worktrees/${worktreeId}/start-anyway`)).body['state']).toBe('ready');
    expect((await all.session(again)).place.worktreeId).toBe(worktreeId);
  });

  it('WT-2: can be cancelled if it hangs, and nothing is left behind', async () => {
    await all.settings({ setupCommand: 'echo waiting; sleep 1000' });
    const made = await call('POST', `/api/projects/${all.projectId}/worktrees`, { branch: 'hangs' });
    const worktreeId = String(made.body['worktreeId']);
    const running = await vi.waitUntil(
      async () => {
        const found = await all.read(worktreeId);
        return found.setup?.output.includes('waiting') === true && found;
      },
      { timeout: 30_000 },
    );
    expect(running.state).toBe('setup');
    expect((await call('DELETE', `/api/worktrees/${worktreeId}`)).status).toBe(204);
    expect(existsSync(running.folder)).toBe(false);
    expect(all.repository.git('branch', '--list', 'hangs')).toBe('');
    expect((await call('GET', `/api/worktrees/${worktreeId}`)).status).toBe(404);
  });
});

it('WT-2: keeps its worktree if the agent doesn’t start, and a retry uses it', async () => {
  const { provider } = all.server;
  vi.spyOn(provider, 'createSession').mockRejectedValueOnce(new ProviderError('AGENT_UNRESPONSIVE', 'It is silent.'));
  const body = { cliType: 'scripted', projectId: all.projectId, place: { kind: 'worktree' } };
  const refused = await call('POST', '/api/session/create', body);
  const [worktree] = await all.list();
  const details = { worktreeId: worktree?.worktreeId };
  expect(refused.body.error).toEqual({ code: 'AGENT_UNRESPONSIVE', message: 'It is silent.', details });
  const { place } = await all.session({ kind: 'worktree', worktreeId: worktree?.worktreeId });
  expect(place.folder).toBe(worktree?.folder);
  expect(await all.list()).toHaveLength(1);
});

describe('the list of worktrees', () => {
  it('WT-5: shows dirty, ahead, missing and external worktrees, and recreates a missing one', async () => {
    const worktree = await all.make({ branch: 'work' });
    const { folder, worktreeId } = worktree;
    all.repository.git('-C', folder, 'commit', '--quiet', '--allow-empty', '--message', 'ahead');
    const outside = `${all.repository.dir}-outside`;
    all.repository.git('worktree', 'add', '--quiet', '-b', 'outside', outside);
    try {
      mkdirSync(join(folder, 'new'));
      all.repository.git('-C', folder, 'mv', 'a.txt', 'new/a.txt');
      const [own, foreign] = await all.list();
      expect(own).toMatchObject({ worktreeId, state: 'ready', dirty: true, ahead: 1, sessionId: null });
      expect(foreign).toMatchObject({ state: 'foreign', folder: outside, branch: 'outside' });
      const refused = await call('DELETE', `/api/worktrees/${foreign?.worktreeId ?? ''}`);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_SUPPORTED']);
      rmSync(folder, { recursive: true });
      expect((await all.list())[0]).toMatchObject({ state: 'missing', dirty: false });
      expect((await call('POST', `/api/worktrees/${worktreeId}/recreate`)).body).toMatchObject({ state: 'ready' });
      expect(file(folder, 'a.txt')).toBe('one\ntwo\n');
      expect(all.repository.git('-C', folder, 'log', '--format=%s', '-1').trim()).toBe('ahead');
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('WT-4: doesn’t remove unsaved work, and keeps the worktree of a deleted session', async () => {
    const { sessionId, place } = await all.session({ kind: 'worktree', branch: 'kept' });
    const { folder, worktreeId } = place;
    const remove = async (query = '') => {
      const { status, body } = await call('DELETE', `/api/worktrees/${worktreeId}${query}`);
      return status === 204 ? 204 : body.error.code;
    };
    await call('DELETE', `/api/session/${sessionId}`);
    expect(await all.read(worktreeId)).toMatchObject({ sessionId: null, state: 'ready' });
    all.repository.git('-C', folder, 'commit', '--quiet', '--allow-empty', '--message', 'ahead');
    expect(await remove()).toBe('WORKTREE_DIRTY');
    all.repository.git('merge', '--quiet', '--ff-only', 'kept');
    writeFileSync(join(folder, 'untracked'), '');
    expect(await remove('?dropIgnored=true')).toBe('WORKTREE_DIRTY');
    rmSync(join(folder, 'untracked'));
    writeFileSync(join(folder, '.env'), '');
    expect(await remove()).toBe('WORKTREE_DIRTY');
    expect(existsSync(join(folder, '.env'))).toBe(true);
    expect(await remove('?dropIgnored=true')).toBe(204);
    expect([existsSync(folder), all.repository.git('branch', '--list', 'kept')]).toEqual([false, '']);
  });

  it.each(['--skip-worktree', '--assume-unchanged'])(
    'WT-4: counts a change that git hides (%s) as unsaved, also once it is parked',
    async (how) => {
      const { folder, worktreeId } = await all.make();
      all.repository.git('-C', folder, 'update-index', how, 'a.txt', 'src/b.txt');
      rmSync(join(folder, 'src'), { recursive: true });
      expect((await all.list())[0]).toMatchObject({ dirty: false });
      writeFileSync(join(folder, 'a.txt'), 'mine\n');
      expect(all.repository.git('-C', folder, 'status', '--porcelain')).toBe('');
      const remove = () => call('DELETE', `/api/worktrees/${worktreeId}`);
      expect((await remove()).body.error.code).toBe('WORKTREE_DIRTY');
      expect((await call('POST', `/api/worktrees/${worktreeId}/park`, {})).status).toBe(200);
      expect((await remove()).body.error.code).toBe('WORKTREE_DIRTY');
      expect(await all.read(worktreeId)).toMatchObject({ state: 'parked', dirty: true });
    },
  );

  it('WT-4: doesn’t remove a worktree with files in a submodule, whose commits are nowhere else', async () => {
    const { repository } = all;
    const allow = ['-c', 'protocol.file.allow=always'];
    repository.git(...allow, 'submodule', '--quiet', 'add', repository.dir, 'sub');
    repository.commit();
    const { folder, worktreeId } = await all.make();
    repository.git(...allow, '-C', folder, 'submodule', '--quiet', 'update', '--init');
    const { status, body } = await call('DELETE', `/api/worktrees/${worktreeId}`);
    expect([status, body.error?.code]).toEqual([409, 'WORKTREE_DIRTY']);
    expect(body.error.message).toContain('the submodule "sub" has files of its own here');
    expect(existsSync(join(folder, 'sub/a.txt'))).toBe(true);
    const own = ['-C', join(folder, 'sub'), '-c', 'user.name=n', '-c', 'user.email=e'];
    repository.git(...own, 'commit', '--quiet', '--allow-empty', '--message', 'only here');
    repository.git('-C', folder, 'submodule', '--quiet', 'deinit', '--force', 'sub');
    expect((await call('DELETE', `/api/worktrees/${worktreeId}`)).body.error.message).toContain(
      'the submodule "sub" has commits that are nowhere else',
    );
    const gitDir = repository.git('-C', folder, 'rev-parse', '--path-format=absolute', '--git-path', 'modules/sub');
    repository.git(`--git-dir=${gitDir.trim()}`, 'update-ref', '--no-deref', 'HEAD', 'HEAD~1');
    expect((await call('DELETE', `/api/worktrees/${worktreeId}`)).status).toBe(204);
  });
});

it('stores a project’s settings, with the default folder', async () => {
  const url = `/api/projects/${all.projectId}/settings`;
  const before = await all.server.call<ProjectSettings>('GET', url);
  expect(before.body).toEqual({
    setupCommand: '',
    checkCommand: '',
    worktreeFolder: '',
    defaultPlace: 'folder',
    commands: [],
  });
  const commands = [{ name: 'dev', command: 'npm run dev' }];
  const saved = await all.server.call('PUT', url, { defaultPlace: 'worktree', commands });
  expect(saved.body).toEqual({ ...before.body, defaultPlace: 'worktree', commands });
  expect((await all.server.call('PUT', url, { worktreeFolder: 'here' })).status).toBe(400);
  expect((await all.server.call('GET', '/api/projects/none/settings')).status).toBe(404);
});
