import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fail, ok, type Project } from '@liminal/contracts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RepositoryWorktrees } from '../git/worktrees/repository-worktrees.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import type { WorktreeDeps } from './worktree-deps.ts';
import { createWorktreeService } from './worktree-service.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'liminal-worktrees-'));
  mkdirSync(join(data, 'w'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const ours: Project = { projectId: 'p', dir: '/p', name: 'p', trusted: true };
const trusted = ok(ours);
const at = '2026-01-01T00:00:00.000Z';

/** A service with one worktree. Git always succeeds, and the setup command runs until it is stopped. */
async function serviceWith(
  row: Partial<WorktreeRow>,
  trees: Partial<RepositoryWorktrees> = {},
  project: ReturnType<WorktreeDeps['projects']['get']> = trusted,
  release: WorktreeDeps['release'] = async () => ok(null),
) {
  const store = createMemoryStore();
  const root = join(data, 'w');
  const whole: WorktreeRow = {
    worktreeId: 'w',
    projectId: 'p',
    sessionId: null,
    root,
    folder: root,
    branch: 'fix',
    base: 'main',
    baseCommit: 'c',
    state: 'ready',
    step: null,
    error: null,
    notice: null,
    setup: null,
    park: null,
    size: null,
    createdAt: at,
    lastUsed: at,
    ...row,
  };
  await store.write([{ type: 'put-worktree', row: whole }]);
  const removed = vi.fn(async () => ok(null));
  const git: Partial<RepositoryWorktrees> = {
    list: async () => ok([{ root, isMain: false } as never]),
    included: async () => ok([]),
    unsaved: async () => ok({ dirty: false, ahead: 0 } as never),
    submoduleWork: async () => ok(null),
    ignored: async () => ok([]),
    remove: removed,
    commitsOnlyOn: async () => ok(0),
    branchCommit: async () => ok(null),
    forgetPark: async () => {},
    ...trees,
  };
  const started = Promise.withResolvers<void>();
  const spawn = vi.fn(async () => {
    const ended = Promise.withResolvers<object>();
    started.resolve();
    const kill = async () => ended.resolve({ code: null, signal: 'SIGKILL' });
    return { stdin: new PassThrough(), stdout: new PassThrough(), exited: ended.promise, kill };
  });
  const service = createWorktreeService({
    store,
    git: { worktrees: async () => ok(git) },
    projects: { get: () => project },
    settings: { get: () => ({ setupCommand: 'make deps' }) },
    spawner: { spawn },
    env: () => ({}),
    folder: data,
    now: () => at,
    newId: () => 'id',
    release,
    onError: (error: unknown) => {
      throw error;
    },
  } as unknown as WorktreeDeps);
  return { service, store, removed, spawn, setupStarted: started.promise };
}

it('WT-4: removes a worktree whose setup command runs again', async () => {
  const setup = { command: 'make deps', output: 'no luck\n', exitCode: 3 };
  const { service, store, removed, setupStarted } = await serviceWith({ state: 'failed', setup });
  const again = service.setUpAgain('w');
  await setupStarted;
  expect(await service.remove('w', {})).toEqual(ok(null));
  expect((await again).ok).toBe(false);
  expect([removed.mock.calls.length, store.worktrees()]).toEqual([1, []]);
});

it('WT-4: forgets a session that is deleted while its worktree is parked', async () => {
  const begun = Promise.withResolvers<void>();
  const parked = Promise.withResolvers<void>();
  const { service, store } = await serviceWith(
    { sessionId: 's' },
    {
      async park() {
        begun.resolve();
        await parked.promise;
        return ok({ commit: 'k', dirty: false, ahead: 0, ignored: false, notKept: [] });
      },
    },
  );
  const parking = service.park('w', {});
  await begun.promise;
  const detaching = service.detach('s');
  parked.resolve();
  expect((await parking).ok).toBe(true);
  await detaching;
  expect(store.worktrees()).toMatchObject([{ state: 'parked', step: null, sessionId: null }]);
});

const park = { commit: 'k', dirty: false, ahead: 0, ignored: false, at };

it('WT-4: removes a parked worktree without touching what is now in its old place', async () => {
  const deleted = vi.fn(async () => true);
  const { service, store, removed } = await serviceWith(
    { state: 'parked', park },
    {
      list: async () => ok([{ root: join(data, 'w'), isMain: false, branch: 'fix' } as never]),
      branchCommit: async () => ok('c'),
      deleteBranch: deleted,
    },
  );
  expect(await service.remove('w', {})).toEqual(ok(null));
  expect(store.worktrees()).toEqual([]);
  expect([removed.mock.calls, deleted.mock.calls]).toEqual([[], []]);
});

it('WT-4: doesn’t remove a worktree whose agent writes a file before it ends', async () => {
  let dirty = false;
  const release = async () => {
    dirty = true;
    return ok(null);
  };
  const unsaved = async () => ok({ dirty, ahead: 0 } as never);
  const { service, removed } = await serviceWith({}, { unsaved }, trusted, release);
  expect(await service.remove('w', {})).toMatchObject({ failure: { code: 'WORKTREE_DIRTY' } });
  expect(removed).not.toHaveBeenCalled();
});

it('WT-4: removes the rest of a folder that is still being parked', async () => {
  // Recovery can't finish it either: git fails once more.
  const removing = vi.fn(async () => ok(null)).mockResolvedValueOnce(fail('GIT_FAILED', 'Not now.') as never);
  const { service } = await serviceWith({ state: 'parked', step: 'removing', park }, { remove: removing });
  await vi.waitUntil(async () => (await service.remove('w', {})).ok);
  expect(removing).toHaveBeenCalledTimes(2);
});

it('WT-5: records that a worktree is being recreated, before it writes the folder', async () => {
  const filling = Promise.withResolvers<void>();
  const filled = Promise.withResolvers<void>();
  const { service, store } = await serviceWith(
    {},
    {
      register: async () => ok(null),
      async fill() {
        filling.resolve();
        await filled.promise;
        return ok(null);
      },
      include: async () => ok(0),
    },
  );
  rmSync(join(data, 'w'), { recursive: true });
  const recreating = service.recreate('w');
  await filling.promise;
  expect(store.worktrees()).toMatchObject([{ state: 'ready', step: 'restoring' }]);
  filled.resolve();
  expect(await recreating).toMatchObject(ok({ state: 'ready' }));
  expect(store.worktrees()).toMatchObject([{ state: 'ready', step: null }]);
});

it('WT-5: removes half a recreated folder after a crash, and doesn’t use it if it can’t', async () => {
  const cleaned = await serviceWith({ step: 'restoring' });
  await cleaned.service.idle();
  expect([cleaned.removed.mock.calls, cleaned.store.worktrees()]).toMatchObject([
    [[join(data, 'w')]],
    [{ state: 'ready', step: null }],
  ]);
  const remove = vi.fn(async () => fail('GIT_FAILED', 'Not now.') as never);
  const { service } = await serviceWith({ step: 'restoring' }, { remove });
  const message = `The worktree's folder ${join(data, 'w')} is incomplete. Recreate it from its branch first.`;
  expect(await service.open('w')).toMatchObject({ failure: { code: 'WORKTREE_NOT_FOUND', message } });
  expect(await service.park('w', {})).toMatchObject({ failure: { code: 'NOT_SUPPORTED' } });
  expect(await service.read('w')).toMatchObject(ok({ state: 'missing' }));
});

it.each([
  ['kept ignored files', { ...park, ignored: true }],
  ['may have kept ignored files', { commit: 'k', dirty: false, ahead: 0, at }],
])('WT-4: asks before it removes a parked worktree that %s', async (_, held) => {
  const { service, store } = await serviceWith({ state: 'parked', park: held });
  expect(await service.remove('w', {})).toMatchObject({ failure: { code: 'WORKTREE_DIRTY' } });
  expect(store.worktrees()).toHaveLength(1);
  expect(await service.remove('w', { dropIgnored: true })).toEqual(ok(null));
});

it('WT-4: runs no command in a parked worktree, nor restores it for that', async () => {
  const restore = vi.fn();
  const { service } = await serviceWith({ state: 'parked', park }, { restore });
  rmSync(join(data, 'w'), { recursive: true });
  const ran = await service.run('w', 'make check', new AbortController().signal);
  expect(ran).toEqual(fail('WORKTREE_NOT_FOUND', 'This worktree is parked. Restore it first.'));
  expect(restore).not.toHaveBeenCalled();
});

it.each([
  ['an untrusted project', ok({ ...ours, trusted: false }), 'PROJECT_NOT_TRUSTED'],
  ['a removed project', fail('PROJECT_NOT_FOUND', 'No such project.'), 'PROJECT_NOT_FOUND'],
] as const)('G-1: runs neither a check nor the setup command in %s', async (_, project, code) => {
  const ready = await serviceWith({}, {}, project);
  expect(await ready.service.run('w', 'make test', AbortSignal.timeout(2_000))).toMatchObject({ failure: { code } });
  const setup = { command: 'make deps', output: 'no luck\n', exitCode: 3 };
  const failed = await serviceWith({ state: 'failed', setup, error: 'It failed.' }, {}, project);
  expect(await failed.service.setUpAgain('w')).toMatchObject({ failure: { code } });
  expect(failed.store.worktrees()).toMatchObject([{ state: 'failed', setup, error: 'It failed.' }]);
  expect([ready.spawn.mock.calls, failed.spawn.mock.calls]).toEqual([[], []]);
});

it('WT-2: cancels a setup command when the server closes, and starts no other', async () => {
  const setup = { command: 'make deps', output: 'no luck\n', exitCode: 3 };
  const { service, store, spawn, setupStarted } = await serviceWith({ state: 'failed', setup });
  const again = service.setUpAgain('w');
  await setupStarted;
  await service.close();
  expect((await again).ok).toBe(false);
  expect(store.worktrees()).toMatchObject([{ state: 'failed' }]);
  expect(await service.setUpAgain('w')).toMatchObject({ failure: { message: 'The server is shutting down.' } });
  expect(spawn).toHaveBeenCalledTimes(1);
});

it('G-1: ends a check and a setup command that run when the trust is withdrawn, and says why', async () => {
  const project = { ...ours };
  const checked = await serviceWith({}, {}, ok(project));
  const check = checked.service.run('w', 'make test', new AbortController().signal);
  await checked.setupStarted;
  const setup = { command: 'make deps', output: 'no luck\n', exitCode: 3 };
  const prepared = await serviceWith({ state: 'failed', setup }, {}, ok(project));
  const again = prepared.service.setUpAgain('w');
  await prepared.setupStarted;
  for (const { service } of [checked, prepared]) service.trustChanged('p');
  expect(prepared.store.worktrees()).toMatchObject([{ state: 'setup' }]);
  project.trusted = false;
  for (const { service } of [checked, prepared]) service.trustChanged('other');
  expect(prepared.store.worktrees()).toMatchObject([{ state: 'setup' }]);
  for (const { service } of [checked, prepared]) service.trustChanged('p');
  expect(await check).toMatchObject(ok({ stopped: 'trust' }));
  const why = 'The setup command was stopped, because this project is no longer trusted.';
  expect(await again).toMatchObject({ failure: { code: 'PROJECT_NOT_TRUSTED', message: why } });
  expect(prepared.store.worktrees()).toMatchObject([{ state: 'failed', error: why }]);
});
