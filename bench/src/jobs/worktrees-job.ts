import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { contentOf, makeLargeRepository, pathOf } from './large-repository.ts';
import { measureRest, type Rest } from './rest.ts';

const run1 = promisify(execFile);
/** Both sides must do this: objects and refs are on disk when a command is done. */
const durable = ['-c', 'core.fsync=loose-object,reference', '-c', 'gc.auto=0'];
const edited = 10;

export type Steps = { readonly create: number; readonly park: number; readonly restore: number };
type Made = { readonly worktreeId: string; readonly folder: string; readonly state: string };

export async function run(host: BenchHost): Promise<void> {
  const repository = join(host.folder, 'repository');
  let projectId = '';
  let files = 0;
  let rounds = 0;
  const git = (cwd: string, ...args: string[]) => run1('git', [...durable, ...args], { cwd, maxBuffer: 1e9 });
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await act();
    return performance.now() - began;
  };
  /** Some changes and some new files, none of which may get lost. */
  const edit = (folder: string): void => {
    for (let each = 0; each < edited; each += 1) {
      const file = (each * 97) % files;
      writeFileSync(join(folder, pathOf(file)), contentOf(file, each + 1));
      writeFileSync(join(folder, `new-${each}.ts`), contentOf(file, -each));
    }
  };

  const make = async (branch: string): Promise<Made> => {
    const asked = await host.call('POST', `/api/projects/${projectId}/worktrees`, { branch });
    const { worktreeId } = asked.body as { worktreeId: string };
    for (;;) {
      const { body } = await host.call('GET', `/api/worktrees/${worktreeId}`);
      const made = body as Made;
      if (made.state === 'ready') return made;
      if (made.state === 'failed') throw new Error(JSON.stringify(body));
      await wait(5);
    }
  };
  const act = async (worktreeId: string, what: 'park' | 'restore'): Promise<void> => {
    const done = await host.call('POST', `/api/worktrees/${worktreeId}/${what}`, {});
    if (done.status !== 200) throw new Error(JSON.stringify(done.body));
  };
  const throughUs = async (): Promise<Steps> => {
    let made: Made | undefined;
    const create = await timed(async () => (made = await make(`ours-${rounds}`)));
    const { worktreeId = '', folder = '' } = made ?? {};
    edit(folder);
    const park = await timed(() => act(worktreeId, 'park'));
    const restore = await timed(() => act(worktreeId, 'restore'));
    await git(repository, 'worktree', 'remove', '--force', '--force', folder);
    return { create, park, restore };
  };
  /** The fewest commands that keep tracked and untracked work; staging, modes and ignored files are lost. */
  const byHand = async (): Promise<Steps> => {
    const folder = join(host.folder, `by-hand-${rounds}`);
    const branch = `hand-${rounds}`;
    const create = await timed(() => git(repository, 'worktree', 'add', '--quiet', '-b', branch, folder, 'main'));
    edit(folder);
    const park = await timed(async () => {
      await git(folder, 'add', '--all');
      await git(folder, 'commit', '--quiet', '--no-verify', '--message', 'parked');
      await git(repository, 'worktree', 'remove', '--force', folder);
    });
    const restore = await timed(async () => {
      await git(repository, 'worktree', 'add', '--quiet', folder, branch);
      await git(folder, 'reset', '--quiet', 'HEAD^');
    });
    await git(repository, 'worktree', 'remove', '--force', folder);
    return { create, park, restore };
  };

  await answerQuestions({
    async make(given: { readonly files: number; readonly small?: boolean }): Promise<null> {
      rmSync(repository, { recursive: true, force: true });
      ({ files } = given);
      const content = given.small ? (file: number) => `export const value = ${file};\n` : contentOf;
      ({ projectId } = await makeLargeRepository(host, repository, files, content));
      return null;
    },
    async round(): Promise<{ ours: Steps; hand: Steps }> {
      rounds += 1;
      // The first one has a colder disk cache.
      if (rounds % 2 === 0) return { ours: await throughUs(), hand: await byHand() };
      const hand = await byHand();
      return { ours: await throughUs(), hand };
    },
    /** Creates worktrees with a session each. */
    async occupy({ count }: { readonly count: number }): Promise<null> {
      for (let each = 0; each < count; each += 1) {
        const { worktreeId } = await make(`idle-${each}`);
        const place = { kind: 'worktree', worktreeId };
        await host.call('POST', '/api/session/create', { cliType: 'scripted', projectId, place });
      }
      // Listing them measures every worktree once; afterwards nothing is left to do.
      for (;;) {
        const { body } = await host.call('GET', `/api/projects/${projectId}/worktrees`);
        const { worktrees } = body as { worktrees: { readonly size: number | null }[] };
        if (worktrees.every(({ size }) => size !== null)) break;
        await wait(2_000);
      }
      return null;
    },
    rest: ({ periods, periodMs }: { readonly periods: number; readonly periodMs: number }): Promise<Rest> =>
      measureRest(periods, periodMs),
  });
}
