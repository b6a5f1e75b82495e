import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAgentWatch } from './agent-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup() {
  const agent = { outputBytes: 0, kill: vi.fn<() => Promise<void>>(async () => {}) };
  const ignore = vi.fn<() => void>();
  const limits = { turnBytes: 1000, openBytes: 100, writeMs: 5000, cancelMs: 2000 };
  const watch = createAgentWatch({ agentName: 'Agent', limits, agent, heldLength: () => 40, ignore });
  return { watch, agent, ignore };
}

it('ends an agent that sends too much in one turn, and reads no more from it', () => {
  const { watch, agent, ignore } = setup();
  watch.turnStarted();
  agent.outputBytes = 1000;
  watch.check();
  expect(watch.failure).toBeUndefined();
  agent.outputBytes = 1001;
  watch.check();
  expect(watch.failure).toMatchObject({ code: 'PROTOCOL_ERROR' });
  expect(ignore).toHaveBeenCalledTimes(1);
  expect(agent.kill).toHaveBeenCalledTimes(1);
});

it('counts open questions as held, until they are answered', () => {
  const { watch, agent } = setup();
  const release = watch.holdQuestion(60);
  expect(agent.kill).not.toHaveBeenCalled();
  release();
  watch.holdQuestion(60);
  expect(agent.kill).not.toHaveBeenCalled();
  watch.holdQuestion(1);
  expect(agent.kill).toHaveBeenCalledTimes(1);
});

it("ends an agent that doesn't accept a message in time", async () => {
  const { watch, agent } = setup();
  const written = expect(watch.written(new Promise(() => {}))).rejects.toMatchObject({ code: 'AGENT_UNRESPONSIVE' });
  await vi.advanceTimersByTimeAsync(5000);
  await written;
  expect(watch.failure?.message).toContain("didn't accept the message within 5 s");
  expect(agent.kill).toHaveBeenCalledTimes(1);
});

it('reports that an agent no longer runs if its input is closed', async () => {
  const { watch, agent } = setup();
  await expect(watch.written(Promise.reject(new Error('EPIPE')))).rejects.toMatchObject({ code: 'PROCESS_CRASH' });
  expect(agent.kill).not.toHaveBeenCalled();
});

it('ends an agent that does not stop its turn, and leaves one that does alone', () => {
  const { watch, agent } = setup();
  watch.expectStop();
  watch.turnEnded();
  vi.advanceTimersByTime(2000);
  expect(agent.kill).not.toHaveBeenCalled();
  watch.expectStop();
  vi.advanceTimersByTime(2000);
  expect(watch.failure).toMatchObject({ code: 'AGENT_UNRESPONSIVE' });
  expect(agent.kill).toHaveBeenCalledTimes(1);
});
