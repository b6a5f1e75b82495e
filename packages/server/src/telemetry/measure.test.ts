import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { AgentExit, AgentProcess, AgentSpawner } from '../processes/spawn-agent.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { Wire } from '../delivery/pump.ts';
import { measureSpawner, measureStore, measureWire } from './measure.ts';

const command = { command: '/opt/x', args: [], cwd: '/', env: {} };

function setup() {
  const seen: unknown[] = [];
  const exits: ((exit: AgentExit) => void)[] = [];
  const killed: string[] = [];
  const spawner: AgentSpawner = {
    async spawn({ command }) {
      if (command === 'missing') throw new Error('ENOENT');
      const { promise: exited, resolve } = Promise.withResolvers<AgentExit>();
      exits.push(resolve);
      const process: AgentProcess = {
        pid: 7,
        stdin: new PassThrough(),
        stdout: new PassThrough(),
        exited,
        isRunning: true,
        outputBytes: 3,
        stderrTail: () => 'tail',
        async kill() {
          killed.push('killed');
          resolve({ code: null, signal: 'SIGKILL' });
        },
      };
      return process;
    },
    close: async () => {},
  };
  const measured = measureSpawner(spawner, {
    agentStarted: ({ agent, isOk }) => seen.push([agent, 'started', isOk]),
    agentEnded: ({ agent, how }) => seen.push([agent, how]),
  });
  return { seen, exits, killed, measured };
}

describe('PK-4: starts and ends of agents', () => {
  it.each([
    ['exited', { code: 0, signal: null }],
    ['crashed', { code: 3, signal: null }],
    ['crashed', { code: null, signal: 'SIGSEGV' as const }],
  ])('%s: %j', async (how, exit) => {
    const { seen, exits, measured } = setup();
    const agent = await measured.spawn({ ...command, agent: 'demo' });
    exits[0]?.(exit);
    await agent.exited;
    expect(seen).toEqual([
      ['demo', 'started', true],
      ['demo', how],
    ]);
  });

  it('counts an agent that we end as stopped, and otherwise leaves its process unchanged', async () => {
    const { seen, killed, measured } = setup();
    const agent = await measured.spawn({ ...command, agent: 'demo' });
    expect([agent.pid, agent.isRunning, agent.outputBytes, agent.stderrTail()]).toEqual([7, true, 3, 'tail']);
    await agent.kill();
    await agent.exited;
    expect([killed, seen.at(-1)]).toEqual([['killed'], ['demo', 'stopped']]);
  });

  it('counts a failed start, but not the tools that agents run', async () => {
    const { seen, measured } = setup();
    await expect(measured.spawn({ ...command, command: 'missing', agent: 'demo' })).rejects.toThrow('ENOENT');
    await measured.spawn(command);
    expect(seen).toEqual([['demo', 'started', false]]);
  });
});

it('PK-4: counts writes with their rows and whether they succeeded', async () => {
  const seen: unknown[] = [];
  const store = createMemoryStore();
  const telemetry = {
    stored: ({ rows, isOk }: { rows: number; isOk: boolean }) => void seen.push([rows, isOk]),
  };
  const measured = measureStore(store, telemetry);
  await measured.write([{ type: 'put-setting', key: 'a', value: 1 }]);
  expect(measured.setting('a')).toBe(1);
  const broken = measureStore({ ...store, write: () => Promise.reject(new Error('full')) }, telemetry);
  await expect(broken.write([])).rejects.toThrow('full');
  expect(seen).toEqual([
    [1, true],
    [0, false],
  ]);
});

it('PK-4: counts a delivery in bytes when the system has accepted it', () => {
  const seen: number[] = [];
  const waiting: (() => void)[] = [];
  const wire: Wire = { send: (_frame, done) => void (done && waiting.push(done)), waiting: () => 5 };
  const measured = measureWire(wire, { delivered: ({ bytes }) => void seen.push(bytes) });
  let isDone = false;
  measured.send('é', () => (isDone = true));
  expect([seen, isDone, measured.waiting()]).toEqual([[], false, 5]);
  waiting[0]?.();
  expect([seen, isDone]).toEqual([[2], true]);
});
