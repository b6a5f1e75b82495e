import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../../git/run-git.ts';
import type { TestRepository } from '../../git/testing/test-repository.ts';
import { createLogger } from '../../observe/logger.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { forkingProvider } from './testing/forking-provider.ts';
import { createSampleRepository, openRewindSession, turnIdsOf } from './testing/rewind-session.ts';

/** Stops a rewind or its undo before the nth step; then another server starts from what is left. */
async function cutAt(repository: TestRepository, step: number, what: 'rewind' | 'undo'): Promise<boolean> {
  const memory = createMemoryStore();
  const gone = Promise.withResolvers<boolean>();
  let isCounting = false;
  let count = 0;
  const gate = (): Promise<void> => {
    if (!isCounting || (count += 1) < step) return Promise.resolve();
    gone.resolve(false);
    return new Promise(() => {});
  };
  const store: Store = { ...memory, write: async (writes) => (await gate(), memory.write(writes)) };
  const real = createGitRunner();
  const runner: GitRunner = async (run) => (await gate(), real(run));
  const doomed = forkingProvider(gate);
  const first = await startTestServer({
    folder: repository.dir,
    provider: doomed.provider,
    store,
    git: createGit({ runner }),
  });
  const { sessionId, turn, plan, rewind, undo } = await openRewindSession(first);
  const kept = await turn(() => repository.put('b.txt', 'kept\n'));
  const lost = await turn(() => (repository.put('a.txt', 'lost\n'), repository.put('c.txt', 'c\n')));
  let rewindId = '';
  if (what === 'undo') rewindId = (await rewind(lost)).body.rewindId;
  const { planId } = (await plan(lost)).body;
  isCounting = true;
  const acted = (
    what === 'undo' ? undo(rewindId) : first.call('POST', `/api/session/${sessionId}/rewind`, { turnId: lost, planId })
  ).then(() => true);
  const isWhole = await Promise.race([acted, gone.promise]);

  const after = forkingProvider(undefined, doomed.bound);
  const second = await startTestServer({ folder: repository.dir, provider: after.provider, store: memory });
  try {
    const files = [repository.read('a.txt'), existsSync(join(repository.dir, 'c.txt'))];
    const isBack = files[0] !== 'lost\n';
    expect(files).toEqual(isBack ? ['one\ntwo\nthree\nfour\nfive\n', false] : ['lost\n', true]);
    expect(await turnIdsOf(second, sessionId)).toEqual(isBack ? [kept] : [kept, lost]);
    expect(after.bound.get(sessionId) ?? [sessionId]).toEqual(
      isBack ? [expect.stringContaining(`at-${kept}`) as string] : [sessionId],
    );
    expect(repository.read('b.txt')).toBe('kept\n');
    expect(repository.git('status', '--porcelain')).not.toContain('liminal');
    if (isWhole) expect(isBack).toBe(what === 'rewind');
  } finally {
    await second.close();
  }
  return isWhole;
}

describe('a server that dies between any two steps', () => {
  it.each(['rewind', 'undo'] as const)(
    'CP-5 G-5: of a %s leaves conversation and files both as before, or both as after',
    async (what) => {
      // Every third step here; every step with LIMINAL_TORTURE.
      for (let step = 1; ; step += process.env['LIMINAL_TORTURE'] ? 1 : 3) {
        const repository = createSampleRepository();
        try {
          if (await cutAt(repository, step, what)) return;
        } finally {
          repository.cleanup();
        }
      }
    },
    300_000,
  );
});

/** A server that died once the agent had its copy, and a way to start others on what it left. */
async function interruptedRewind(repository: TestRepository) {
  const memory = createMemoryStore();
  const cut = Promise.withResolvers<void>();
  const store: Store = {
    ...memory,
    async write(writes) {
      await memory.write(writes);
      if (!writes.some((write) => write.type === 'put-rewind' && write.row.state === 'forked')) return;
      cut.resolve();
      await new Promise(() => {});
    },
  };
  const { provider } = forkingProvider();
  const first = await startTestServer({ folder: repository.dir, provider, store });
  const { sessionId, turn, rewind } = await openRewindSession(first);
  const kept = await turn(() => repository.put('b.txt', 'kept\n'));
  const lost = await turn(() => repository.put('a.txt', 'lost\n'));
  void rewind(lost);
  await cut.promise;
  const data = `${repository.dir}-data`;
  const bound = new Map<string, readonly string[]>();
  const log = createLogger('silent');
  const logged = vi.spyOn(log, 'error');
  const start = () =>
    startTestServer({
      folder: repository.dir,
      provider: forkingProvider(undefined, bound).provider,
      store: memory,
      git: createGit({ shadow: { folder: data, megabytes: () => 1 } }),
      log,
    });
  const trust = async (trusted: boolean) => {
    const { projectId } = memory.projects().find(({ dir }) => dir === repository.dir) ?? {};
    await first.call('POST', `/api/projects/${projectId}/trust`, { trusted });
  };
  const cleanup = () => {
    repository.cleanup();
    rmSync(data, { recursive: true, force: true });
  };
  const state = () => memory.rewinds(sessionId).map((row) => row.state);
  const isCopy = expect.stringContaining(`at-${kept}`) as string;
  return { sessionId, kept, lost, start, trust, bound, logged, state, isCopy, cleanup };
}

describe('a start that can’t read the folder of an interrupted rewind', () => {
  it.each(['is gone', 'is an empty mount point'])(
    'CP-5: because it %s, logs it and leaves the session as it is; a later start finishes the rewind',
    async (reason) => {
      const repository = createSampleRepository();
      const { sessionId, kept, lost, start, bound, logged, state, isCopy, cleanup } =
        await interruptedRewind(repository);
      const elsewhere = `${repository.dir}-elsewhere`;
      renameSync(repository.dir, elsewhere);
      if (reason === 'is an empty mount point') mkdirSync(repository.dir);
      const without = await start();
      expect(logged).toHaveBeenCalledWith(expect.objectContaining({ sessionId }), "couldn't finish a rewind");
      expect([await turnIdsOf(without, sessionId), state()]).toEqual([[kept, lost], ['forked']]);
      await without.close();
      if (existsSync(repository.dir)) rmdirSync(repository.dir);
      renameSync(elsewhere, repository.dir);
      const later = await start();
      expect([await turnIdsOf(later, sessionId), state()]).toEqual([[kept], ['done']]);
      expect([repository.read('a.txt'), bound.get(sessionId)]).toEqual(['one\ntwo\nthree\nfour\nfive\n', [isCopy]]);
      await later.close();
      cleanup();
    },
  );

  it('CP-5: drops the rewind at the next start if the session was used meanwhile', async () => {
    const repository = createSampleRepository();
    const { sessionId, kept, lost, start, trust, bound, state, cleanup } = await interruptedRewind(repository);
    await trust(false);
    const without = await start();
    // Opening a session in it trusts it again.
    const { turn } = await openRewindSession(without);
    const newest = await turn(() => repository.put('b.txt', 'newer\n'), sessionId);
    await without.close();
    const later = await start();
    expect([await turnIdsOf(later, sessionId), state()]).toEqual([[kept, lost, newest], ['dropped']]);
    expect([repository.read('a.txt'), repository.read('b.txt')]).toEqual(['lost\n', 'newer\n']);
    expect(bound.get(sessionId)).toBeUndefined();
    await later.close();
    cleanup();
  });
});
