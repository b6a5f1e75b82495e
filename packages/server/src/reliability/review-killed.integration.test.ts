import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtTestMain } from '@liminal/stand-ins/testing/start-program';
import { afterAll, describe, expect, it } from 'vitest';
import { got } from '../git/git.contract.ts';
import { createGit } from '../git/real-git.ts';
import type { TestRepository } from '../git/testing/test-repository.ts';
import { printFigures } from './testing/figures.ts';
import { copyOf, createPersonWork, leftovers, workState, type WorkState } from './testing/person-work.ts';
import { createRandom } from './testing/random.ts';
import { acts, perform, type Act } from './testing/review-main.ts';
import { runKilled } from './testing/run-killed.ts';
import { isTorture, scaled, seed, testTimeout } from './testing/torture.ts';

const main = builtTestMain('reliability/testing/review-main');
const planOf = ({ dir }: Pick<TestRepository, 'dir'>): string => join(dir, '.git', 'plan.json');
const lockOf = ({ dir }: TestRepository): string => join(dir, '.git', 'index.lock');
const open = async ({ dir }: TestRepository) => got(await createGit().open(dir));

const template = createPersonWork();
afterAll(() => template.cleanup());

/** Runs `then` on a fresh copy of the work. For an undo, the work is discarded first. */
async function inNewWork<T>(act: Act, then: (repository: TestRepository) => Promise<T>): Promise<T> {
  const repository = copyOf(template);
  try {
    if (act === 'undo') got(await perform(await open(repository), 'discard', planOf(repository)));
    return await then(repository);
  } finally {
    repository.cleanup();
  }
}

/** With `gitAfterMs`, the running git command is killed too, that long after its start. */
const runAndKill = ({ dir }: TestRepository, act: Act, step: number, gitAfterMs?: number): Promise<number | null> =>
  runKilled(main, [dir, act, planOf({ dir }), String(step), String(gitAfterMs ?? '')]);

/** The states a user may find: the old one, the new one, and any complete state between them. */
const allowedStates = (act: Act): Promise<readonly WorkState[]> =>
  inNewWork(act, async (repository) => {
    const states = [workState(repository)];
    if (act === 'commit') {
      got(await (await open(repository)).stage({ paths: ['a.txt', 'deep/new.txt'], hunks: [] }));
      states.push(workState(repository));
    }
    got(await perform(await open(repository), act, planOf(repository)));
    return [...states, workState(repository)];
  });

/** Checks what the next server finds. */
async function expectWhole(repository: TestRepository, act: Act, [before, ...rest]: readonly WorkState[]) {
  expect(repository.git('fsck', '--no-progress', '--connectivity-only')).not.toMatch(/missing|broken|corrupt/);
  const tree = await open(repository);
  if (act === 'discard' || act === 'undo') {
    // These change one file at a time. The plan on disk restores everything.
    if (existsSync(planOf(repository))) got(await perform(tree, 'undo', planOf(repository)));
    const whole = act === 'discard' ? before : rest.at(-1);
    expect(workState(repository)).toEqual(whole);
  } else expect([before, ...rest]).toContainEqual(workState(repository));
  const now = workState(repository);
  const { snapshot } = got(await tree.keep('turn/next'));
  expect(repository.git('ls-tree', '-r', '--name-only', snapshot.tree).trim().split('\n').toSorted()).toEqual(
    Object.keys(now.files)
      .filter((path) => path !== '.env')
      .toSorted(),
  );
  expect([leftovers(repository), workState(repository)]).toEqual([[], now]);
}

const figures = { kills: 0, 'git killed too': 0, 'locks left by a killed git': 0 };

describe('kill -9 between two steps', () => {
  for (const act of acts) {
    it(
      `G-4 G-5 CP-1 RV-6: of ${act} loses nothing, keeps the index intact and leaves no files behind (seed ${seed})`,
      { timeout: testTimeout },
      async () => {
        const random = createRandom(seed + acts.indexOf(act));
        const states = await allowedStates(act);
        const steps = isTorture ? ((await inNewWork(act, (repository) => runAndKill(repository, act, 0))) ?? 0) : 24;
        const chosen = isTorture ? Array.from({ length: steps }, (_, place) => place + 1) : [1 + random.below(steps)];
        for (const step of chosen) {
          await inNewWork(act, async (repository) => {
            if ((await runAndKill(repository, act, step)) === null) figures.kills += 1;
            expect(existsSync(lockOf(repository))).toBe(false);
            await expectWhole(repository, act, states);
          });
        }
        // A killed git can't remove its lock, and nobody else may. The server reports the lock. Without it, all is well.
        for (let round = 0; round < scaled(1, 40); round += 1) {
          await inNewWork(act, async (repository) => {
            const killed = await runAndKill(repository, act, 1 + random.below(steps), random.next() * 12);
            if (killed === null) figures['git killed too'] += 1;
            if (existsSync(lockOf(repository))) {
              figures['locks left by a killed git'] += 1;
              const { isLocked } = got(await (await open(repository)).state());
              expect(isLocked).toBe(true);
              rmSync(lockOf(repository));
            }
            await expectWhole(repository, act, states);
          });
        }
      },
    );
  }

  it('kills at least one operation', () => {
    if (isTorture) printFigures('review killed', figures);
    expect(figures.kills).toBeGreaterThan(0);
  });
});
