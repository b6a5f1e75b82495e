import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createRecordedProgram, type RecordedProgram, type Running } from './testing/recorded-program.ts';
import { patience, testTimeout } from './testing/torture.ts';

const programs: RecordedProgram[] = [];
afterAll(async () => {
  await Promise.all(programs.splice(0).map((program) => program.cleanup()));
});

/** How long after a death something may still be left. */
const limitMs = 3_000;

/** An agent that ignores SIGTERM, with a tool that called `setsid`, lost its parent and ignores SIGTERM too. */
async function withTool(): Promise<{ recorded: RecordedProgram; running: Running; sessionId: string }> {
  const recorded = createRecordedProgram();
  programs.push(recorded);
  const running = await recorded.start();
  const sessionId = await running.api.newSession('recording', recorded.folder);
  await running.api.send(sessionId, 'tool');
  await vi.waitFor(async () => expect((await running.api.history(sessionId)).entries).toHaveLength(2), patience);
  // The agent and the sleeper; the shell between them is gone.
  expect(await recorded.agents()).toHaveLength(2);
  return { recorded, running, sessionId };
}

async function timeUntilNoneIsLeft(recorded: RecordedProgram): Promise<number> {
  const began = performance.now();
  for (;;) {
    const left = await recorded.agents();
    const took = performance.now() - began;
    if (left.length === 0) return took;
    if (took > limitMs) throw new Error(`${left.length} processes are left after ${limitMs} ms`);
    await wait(20);
  }
}

async function dieOf(signal: NodeJS.Signals): Promise<void> {
  const { recorded, running } = await withTool();
  running.program.child.kill(signal);
  // A signal that can be heard gives turns a chance first; the time counts from the end of the server.
  await running.program.exited;
  const took = await timeUntilNoneIsLeft(recorded);
  console.info(`${signal}: none left ${Math.round(took)} ms after the server’s end`);
}

describe('no agent and no tool of one is left, although the tool has called setsid and lost its parents', () => {
  it('after the server died of kill -9', () => dieOf('SIGKILL'), testTimeout);

  it(
    'after the server died of SIGTERM, SIGINT or SIGHUP',
    async () => {
      // At the same time, for each of them waits for its turn's last chance.
      await Promise.all((['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(dieOf));
    },
    testTimeout,
  );

  it(
    'after its session was killed over HTTP, and after it crashed and left its tool behind',
    async () => {
      const { recorded, running, sessionId } = await withTool();
      const { api } = running;
      const other = await api.newSession('recording', recorded.folder);
      await api.send(other, 'tool die');
      await vi.waitFor(
        async () => expect(await api.status(other)).toMatchObject({ lastError: { code: 'PROCESS_CRASH' } }),
        patience,
      );
      const began = performance.now();
      await vi.waitFor(async () => expect(await recorded.agents()).toHaveLength(2), { timeout: limitMs, interval: 20 });
      console.info(
        `agent crash: its tool was gone after ${Math.round(performance.now() - began)} ms, the other session’s lives on`,
      );

      const killed = api.call('POST', `/api/session/${sessionId}/kill`);
      const took = await timeUntilNoneIsLeft(recorded);
      expect(await killed).toMatchObject({ status: 200 });
      console.info(`kill over HTTP: none left after ${Math.round(took)} ms`);
      expect(await api.status(sessionId)).toMatchObject({ state: 'dead', isAlive: false });
    },
    testTimeout,
  );
});
