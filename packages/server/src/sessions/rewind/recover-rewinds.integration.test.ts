import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../../git/run-git.ts';
import type { TestRepository } from '../../git/testing/test-repository.ts';
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
