import { join } from 'node:path';
import { builtTestMain } from '@liminal/stand-ins/testing/start-program';
import { beforeAll, describe, expect, it } from 'vitest';
import { printFigures } from './testing/figures.ts';
import { createRandom } from './testing/random.ts';
import { runKilled } from './testing/run-killed.ts';
import { buildWork, workState, type BuiltWork } from './testing/somebodys-work.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { isTorture, scaled, seed, testTimeout } from './testing/torture.ts';
import { acts, perform, type Act } from './testing/work-main.ts';
import { putBack, startWorkWorld } from './testing/work-world.ts';

const main = builtTestMain('reliability/testing/work-main');
const root = temporaryFolder('work-killed');
const [folder, template] = [join(root, 'now'), join(root, 'template')];
const random = createRandom(seed);
/** The long form runs all operations; the short form runs two. */
const first = seed % acts.length;
const chosen = isTorture ? acts : [...acts, ...acts].slice(first, first + 2);
const rounds = scaled(1, 30);
const figures = { kills: 0, old: 0, new: 0, 'neither old nor new': 0 };

let built: BuiltWork;
beforeAll(async () => {
  built = await buildWork(folder);
  putBack(folder, template);
}, testTimeout);

const runAndKill = (act: Act, step: number): Promise<number | null> =>
  runKilled(main, [folder, act, JSON.stringify(built.ids), String(step)]);

const stateNow = async (): Promise<unknown> => {
  const server = await startWorkWorld(folder);
  try {
    return await workState(server, folder, built);
  } finally {
    await server.close();
  }
};

describe('kill -9 between two steps', () => {
  it.each(chosen)(
    `CP-5 WT-4 G-5: of %s leaves the old state or the new one (seed ${seed})`,
    { timeout: testTimeout },
    async (act) => {
      putBack(template, folder);
      const before = await stateNow();
      putBack(template, folder);
      const server = await startWorkWorld(folder);
      expect((await perform(server, act, built.ids)).status).toBeLessThan(300);
      await server.close();
      const after = await stateNow();
      expect(after).not.toEqual(before);

      putBack(template, folder);
      const steps = isTorture ? ((await runAndKill(act, 0)) ?? 0) : 40;
      for (let round = 0; round < rounds; round += 1) {
        putBack(template, folder);
        // Spread evenly over all steps, from a start that depends on the seed.
        const step = isTorture ? 1 + ((Math.floor((round * steps) / rounds) + seed) % steps) : 1 + random.below(steps);
        const count = await runAndKill(act, step);
        // The operation has fewer steps than assumed.
        if (count !== null) {
          putBack(template, folder);
          expect(await runAndKill(act, 1 + (step % count))).toBeNull();
        }
        figures.kills += 1;
        const now = await stateNow();
        const isOld = JSON.stringify(now) === JSON.stringify(before);
        const isNew = JSON.stringify(now) === JSON.stringify(after);
        figures[isOld ? 'old' : isNew ? 'new' : 'neither old nor new'] += 1;
        if (!isOld && !isNew) expect({ step, now }).toEqual({ step, now: after });
      }
    },
  );

  it('kills at least one operation', () => {
    if (isTorture) printFigures('work killed', figures);
    expect(figures.kills).toBeGreaterThan(0);
  });
});
