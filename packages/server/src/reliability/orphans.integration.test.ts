import { afterAll, describe, expect, it, vi } from 'vitest';
import { printFigures } from './testing/figures.ts';
import { createRecordedProgram, type RecordedProgram, type Running } from './testing/recorded-program.ts';
import { patience, testTimeout } from './testing/torture.ts';

const programs: RecordedProgram[] = [];
afterAll(async () => {
  await Promise.all(programs.splice(0).map((program) => program.cleanup()));
});

/**
 * An agent that ignores SIGTERM, with two tools that called `setsid`, lost their parent and ignore SIGTERM too. One of
 * them has no environment that could carry a mark.
 */
async function withTools(): Promise<{ recorded: RecordedProgram; running: Running; sessionIds: string[] }> {
  const recorded = createRecordedProgram();
  programs.push(recorded);
  const running = await recorded.start();
  const sessionId = await running.api.newSession('recording', recorded.folder);
  await running.api.send(sessionId, 'tool');
  await vi.waitFor(async () => expect((await running.api.history(sessionId)).entries).toHaveLength(2), patience);
  // The agent and the sleeper. The shell between them is gone.
  expect(await recorded.agents()).toHaveLength(2);
  const bare = await running.api.newSession('recording', recorded.folder);
  await running.api.send(bare, 'bare tool');
  await vi.waitFor(async () => expect(await recorded.bareTools()).toHaveLength(1), patience);
  expect(await recorded.agents()).toHaveLength(3);
  return { recorded, running, sessionIds: [sessionId, bare] };
}

/** None of them ends by itself. The time is only reported, because it depends on the load of the machine. */
async function timeUntilNoneIsLeft(recorded: RecordedProgram): Promise<number> {
  const began = performance.now();
  await vi.waitFor(
    async () => expect([...(await recorded.agents()), ...(await recorded.bareTools())]).toEqual([]),
    patience,
  );
  return performance.now() - began;
}

async function dieOf(signal: NodeJS.Signals): Promise<void> {
  const { recorded, running } = await withTools();
  running.program.child.kill(signal);
  // On a signal it can handle, the server first lets turns finish. So the time counts from its exit.
  await running.program.exited;
  const took = await timeUntilNoneIsLeft(recorded);
  printFigures(`orphans after ${signal}`, { orphans: 0, 'gone after': `${Math.round(took)} ms` });
}

describe('leaves no agent and no tool that called setsid, lost its parents and cleared its environment', () => {
  it('after the server died of kill -9', () => dieOf('SIGKILL'), testTimeout);

  it(
    'after the server died of SIGTERM, SIGINT or SIGHUP',
    async () => {
      // In parallel, because each waits for its turn to finish.
      await Promise.all((['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(dieOf));
    },
    testTimeout,
  );

  it(
    'after its session was killed over HTTP, and after it crashed and left its tool behind',
    async () => {
      const { recorded, running, sessionIds } = await withTools();
      const { api } = running;
      const left = async () => [(await recorded.agents()).length, (await recorded.bareTools()).length];
      const before = await left();
      for (const [prompt, what] of [
        ['tool die', 'agent death'],
        ['bare tool die', 'agent death, environment cleared'],
      ] as const) {
        const other = await api.newSession('recording', recorded.folder);
        await api.send(other, prompt);
        await vi.waitFor(
          async () => expect(await api.status(other)).toMatchObject({ lastError: { code: 'PROCESS_CRASH' } }),
          patience,
        );
        const began = performance.now();
        await vi.waitFor(async () => expect(await left()).toEqual(before), patience);
        printFigures(`orphans after ${what}`, {
          orphans: 0,
          'gone after': `${Math.round(performance.now() - began)} ms`,
        });
      }

      const kills = sessionIds.map((sessionId) => api.call('POST', `/api/session/${sessionId}/kill`));
      const took = await timeUntilNoneIsLeft(recorded);
      expect((await Promise.all(kills)).map(({ status }) => status)).toEqual([200, 200]);
      printFigures('orphans after killing a session', { orphans: 0, 'gone after': `${Math.round(took)} ms` });
      for (const sessionId of sessionIds)
        expect(await api.status(sessionId)).toMatchObject({ state: 'dead', isAlive: false });
    },
    testTimeout,
  );
});
