import { afterEach, describe, expect, it } from 'vitest';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { testTimeout } from './testing/torture.ts';

const programs: Program[] = [];
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop('SIGKILL')));
});
function start(dataDir?: string): Program {
  const program = startProgram(dataDir === undefined ? {} : { dataDir });
  programs.push(program);
  return program;
}

describe('two servers on one data directory', () => {
  it(
    'the second exits and names the first, and a killed one frees the directory at once',
    async () => {
      const first = start();
      const { port, pid } = await first.ready;
      const began = performance.now();
      const second = start(first.dataDir);
      expect(await second.exited).toEqual({ code: 1, signal: null });
      const took = performance.now() - began;
      expect(second.stderr()).toContain(`http://127.0.0.1:${port}/ (process ${pid})`);
      expect(second.stdout()).toBe('');
      expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
      // Reported, not asserted: the time also depends on the load of the machine.
      console.info(`the second server exited after ${Math.round(took)} ms`);

      first.child.kill('SIGKILL');
      await first.exited;
      const third = start(first.dataDir);
      // A starting server has no address yet, and must not show that of the dead one.
      const fourth = start(first.dataDir);
      const [one, other] = await Promise.allSettled([third.ready, fourth.ready]);
      expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      expect([third, fourth].map((program) => program.stderr()).join('')).not.toContain(`http://127.0.0.1:${port}/`);
    },
    testTimeout,
  );

  it(
    'exactly one of many started at the same moment runs',
    async () => {
      const seedProgram = start();
      await seedProgram.ready;
      seedProgram.child.kill('SIGKILL');
      await seedProgram.exited;
      const started = Array.from({ length: 4 }, () => start(seedProgram.dataDir));
      const results = await Promise.allSettled(started.map((program) => program.ready));
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    },
    testTimeout,
  );
});
