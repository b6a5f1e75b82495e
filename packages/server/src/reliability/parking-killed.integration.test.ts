import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtTestMain } from '@liminal/stand-ins/testing/start-program';
import type { Result } from '@liminal/contracts';
import { expect, it, vi } from 'vitest';
import { createTestRepository } from '../git/testing/test-repository.ts';
import { listAside } from '../git/worktrees/set-aside.ts';
import { createProjectService } from '../projects/project-service.ts';
import { createWorktreeService } from '../worktrees/worktree-service.ts';
import { folderState } from '../worktrees/testing/folder-state.ts';
import { makeOddWork } from '../worktrees/testing/odd-work.ts';
import { printFigures } from './testing/figures.ts';
import { createRandom } from './testing/random.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { patience, scaled, seed, testTimeout } from './testing/torture.ts';
import { worktreeWorld } from './testing/worktree-world.ts';

const folder = temporaryFolder('parking');
const main = builtTestMain('reliability/testing/park-main');
const rounds = scaled(6, 200);

const got = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.failure.code} ${result.failure.message}`);
  return result.value;
};

/** Runs in a process that is killed after some time. True if it finished first. */
async function doAndKill(args: readonly string[], afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await vi.waitUntil(() => output.includes('ready') || child.exitCode !== null, patience);
  const left = AbortSignal.timeout(Math.max(1, Math.round(afterMs)));
  await Promise.race([gone, once(left, 'abort')]);
  const isDone = output.includes('done');
  child.kill('SIGKILL');
  await gone;
  return isDone;
}

it(
  `WT-4 G-5: parking and restoring leave the old or the new state when killed (seed ${seed})`,
  { timeout: testTimeout },
  async () => {
    const random = createRandom(seed);
    const repository = createTestRepository();
    try {
      for (const name of ['a.txt', 'src/b.txt']) repository.put(name, `${name}\n`);
      for (let place = 0; place < 200; place += 1) repository.put(`many/${place}.txt`, `${place}\n`);
      repository.put('.gitignore', '.env\nnode_modules/\n');
      repository.commit();
      const database = join(folder, 'liminal.sqlite');
      const place = join(folder, 'worktrees');
      /** The state the next server finds after its recovery. */
      const withService = async <T>(
        then: (service: ReturnType<typeof createWorktreeService>) => Promise<T>,
      ): Promise<T> => {
        const { deps, close } = await worktreeWorld(database, place);
        const service = createWorktreeService(deps);
        await service.idle();
        try {
          return await then(service);
        } finally {
          await close();
        }
      };
      const { deps, close } = await worktreeWorld(database, place);
      const projects = createProjectService(deps);
      const { project } = got(await projects.add(repository.dir));
      got(await projects.trust(project.projectId, true));
      await close();
      const made = await withService(async (service) => {
        const { worktreeId } = got(await service.create(project.projectId, { branch: 'work' }));
        await service.idle();
        return got(await service.read(worktreeId));
      });
      makeOddWork(made.folder);
      const whole = folderState(made.folder);
      const timed = async (task: () => Promise<unknown>): Promise<number> => {
        const began = performance.now();
        await task();
        return performance.now() - began;
      };
      const longest = await withService(async (service) => ({
        park: await timed(async () => got(await service.park(made.worktreeId, {}))),
        restore: await timed(async () => got(await service.restore(made.worktreeId))),
      }));
      let [inTheMiddle, half] = [0, 0];
      for (let round = 0; round < rounds; round += 1) {
        const action = round % 2 === 0 ? 'park' : 'restore';
        if (action === 'restore') await withService(async (service) => got(await service.park(made.worktreeId, {})));
        const isDone = await doAndKill(
          [database, place, action, made.worktreeId],
          random.next() * longest[action] * 1.2,
        );
        if (!isDone) inTheMiddle += 1;
        const state = await withService(async (service) => got(await service.read(made.worktreeId)).state);
        expect(await listAside(dirname(made.folder))).toEqual([]);
        if (state !== 'ready' && state !== 'parked') half += 1;
        if (state === 'ready') expect(folderState(made.folder)).toEqual(whole);
        else {
          expect(existsSync(made.folder)).toBe(false);
          await withService(async (service) => got(await service.restore(made.worktreeId)));
          expect(folderState(made.folder)).toEqual(whole);
        }
      }
      expect(half).toBe(0);
      expect(repository.git('fsck', '--no-progress', '--connectivity-only')).not.toMatch(/missing|broken/);
      printFigures('parking killed', { kills: rounds, midway: inTheMiddle, 'neither old nor new': half });
    } finally {
      repository.cleanup();
    }
  },
);
