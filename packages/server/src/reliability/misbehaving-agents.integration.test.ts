import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FailureCode, failures } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AgentServer, startAgentServer } from './testing/agent-server.ts';
import { mebibytes, printFigures } from './testing/figures.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { bytesInUse } from './testing/heap.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { patience, scaled, testTimeout } from './testing/torture.ts';

const phases = ['initialize', 'session/new', 'session/load', 'session/prompt', 'permission', 'session/cancel'] as const;
const behaviours = ['exit', 'hang', 'twice', 'flood'] as const;
type Case = { readonly phase: (typeof phases)[number]; readonly behaviour: (typeof behaviours)[number] };
const cases: Case[] = phases.flatMap((phase) => behaviours.map((behaviour) => ({ phase, behaviour })));

const program = fileURLToPath(new URL('./testing/misbehaving-agent.ts', import.meta.url));
const notes = temporaryFolder('misbehaving');
const flood = scaled(4_000, 100_000);
const isFatal = (behaviour: Case['behaviour']): boolean => behaviour === 'exit' || behaviour === 'hang';
const idOf = ({ phase, behaviour }: Case): string => `${phase.replace('/', '-')}-${behaviour}`;
const specs = cases.map((one) => ({
  id: idOf(one),
  name: idOf(one),
  args: [program, one.phase, one.behaviour, notes, String(flood)],
}));

let server: AgentServer;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await server.close();
});

/** Creates a session, with a second attempt if needed. A refusal must have a known code. */
async function createSession({ api, folder }: AgentServer, one: Case): Promise<string> {
  const create = () => api.call('POST', '/api/session/create', { cliType: idOf(one), projectDir: folder });
  const first = await create();
  if (first.status === 201) return first.body.sessionId as string;
  const code = FailureCode.parse(first.body.error.code);
  expect([code, first.status]).toEqual([code, failures[code].http]);
  const second = await create();
  expect([second.status, second.body.error]).toEqual([201, undefined]);
  return second.body.sessionId as string;
}

const hasEnded = (reader: FoldingReader, sessionId: string, turnId: string): boolean =>
  reader.timeline(sessionId).turns.get(turnId)?.record?.ended !== undefined;

/** Sends, answers requests, and stops a turn that doesn't end, as a user would. */
async function ask(reader: FoldingReader, sessionId: string, content: string, stops: boolean): Promise<string> {
  const { api } = server;
  const { status, body } = await api.send(sessionId, content);
  expect(status).toBe(202);
  const { turnId } = body;
  const answered = new Set<string>();
  let hasStopped = false;
  await vi.waitFor(async () => {
    const { permissions, items } = reader.timeline(sessionId);
    for (const { requestId } of permissions) {
      if (answered.has(requestId)) continue;
      answered.add(requestId);
      await api.call('POST', `/api/session/${sessionId}/permission`, { requestId, optionId: 'yes' });
    }
    const wantsStop = stops && (items.has(`${turnId}:1:0`) || answered.size > 0);
    if (wantsStop && !hasStopped) {
      hasStopped = true;
      await api.call('POST', `/api/session/${sessionId}/cancel`);
    }
    expect(hasEnded(reader, sessionId, turnId)).toBe(true);
  }, patience);
  return turnId;
}

/** Runs the phase in which the agent misbehaves, then uses the session once more. */
async function suffer(one: Case): Promise<string> {
  const { phase, behaviour } = one;
  const sessionId = await createSession(server, one);
  const reader = await connectReader(server.address);
  readers.push(reader);
  reader.subscribe(sessionId, 'append');
  if (phase === 'session/load') {
    await ask(reader, sessionId, 'go', false);
    const opened = server.served.roster.get(sessionId);
    if (opened.ok) await opened.value.shell.sleep();
    await reader.until(sessionId, (timeline) => timeline.status?.activity === 'asleep');
  }
  const words = phase === 'permission' ? 'ask' : phase === 'session/cancel' ? 'wait' : 'go';
  const bad = await ask(reader, sessionId, `${words} 1`, phase === 'session/cancel' || behaviour === 'hang');
  // An agent that couldn't resume leaves its session dead until a user reopens it.
  const { state } = await server.api.status(sessionId);
  expect([idOf(one), state === 'dead']).toEqual([idOf(one), phase === 'session/load' && isFatal(behaviour)]);
  if (state === 'dead') expect((await server.api.call('POST', `/api/session/${sessionId}/load`)).status).toBe(200);
  const good = await ask(reader, sessionId, 'go 2', false);
  const { turns } = await server.api.history(sessionId);
  const states = turns.slice(-2).map((turn) => [turn.turnId, turn.state]);
  expect([idOf(one), ...states]).toEqual([idOf(one), [bad, expect.any(String)], [good, 'completed']]);
  expect(reader.faults).toEqual([]);
  expect(await server.api.status(sessionId)).toMatchObject({ state: 'open', activity: 'idle' });
  await server.api.call('POST', `/api/session/${sessionId}/kill`);
  return turns.at(-2)?.state ?? 'none';
}

describe('agents that exit, hang, answer twice or flood in any phase', () => {
  it(
    'fail with a reason at worst: each session continues or can be reopened, and no process is left',
    async () => {
      const agentLimits = { initializeMs: 3_000, openMs: 3_000, cancelMs: 1_000 };
      server = await startAgentServer({ specs, agentLimits, maxLiveAgents: cases.length });
      const before = bytesInUse();
      const left = [...cases];
      const ends = new Map<string, number>();
      const failed: string[] = [];
      const work = async (): Promise<void> => {
        for (let one = left.shift(); one; one = left.shift()) {
          const state = await suffer(one).catch(
            (error: unknown) => `${idOf(one)}: ${error instanceof Error ? error.message : String(error)}`,
          );
          if (state.includes(':')) failed.push(state);
          else ends.set(state, (ends.get(state) ?? 0) + 1);
        }
      };
      await Promise.all([work(), work(), work(), work()]);
      expect(failed).toEqual([]);
      const promptsOf = (one: Case): string[] => {
        const file = join(notes, `${idOf(one)}.prompts`);
        return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
      };
      const twice = cases.filter((one) => new Set(promptsOf(one)).size < promptsOf(one).length);
      await vi.waitFor(async () => expect(await server.agents()).toEqual([]), patience);
      printFigures('misbehaving agents', {
        cases: cases.length,
        'lines per flood': flood,
        'turns of these agents': [...ends].map(([state, count]) => `${state} ${count}`).join(' + '),
        'sent twice': twice.length,
        'stuck sessions': failed.length,
        orphans: (await server.agents()).length,
        'memory growth including all output': mebibytes(bytesInUse() - before),
      });
      expect(twice).toEqual([]);
    },
    testTimeout,
  );
});
