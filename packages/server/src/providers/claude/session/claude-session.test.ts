import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { TurnEvent } from '@liminal/contracts';
import { afterAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import type { AgentExit, AgentProcess, AgentSpawner } from '../../../processes/spawn-agent.ts';
import { asRecord, type Loose } from '../../kit/read-json.ts';
import { createSessionHub } from '../../kit/session-hub.ts';
import { defaultLimits } from '../process/claude-deps.ts';
import { say } from '../testing/native-messages.ts';
import { uuidOfTurn } from '../translate/turn-uuid.ts';
import { createClaudeSession } from './claude-session.ts';

const projectDir = mkdtempSync(join(tmpdir(), 'liminal-claude-session-'));
afterAll(() => rmSync(projectDir, { recursive: true }));

const agent = (): AgentProcess => {
  const ended = Promise.withResolvers<AgentExit>();
  return {
    pid: 1,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    exited: ended.promise,
    isRunning: true,
    outputBytes: 0,
    stderrTail: () => '',
    kill: async () => ended.resolve({ code: 0, signal: null }),
  };
};

const sessionWith = (spawn: AgentSpawner['spawn'], hub = createSessionHub(silentLog)) =>
  createClaudeSession({
    deps: {
      spawner: { spawn, close: () => Promise.resolve() },
      log: silentLog,
      env: { LIMINAL_CLAUDE_PATH: '/bin/true' },
      now: () => 0,
      newId: () => 'id',
      limits: defaultLimits,
    },
    hub,
    sessionId: 's',
    agentSessionId: 's',
    projectDir,
    options: { trusted: true },
    recorded: false,
    hold: () => Promise.resolve(),
    onCrash: () => {},
    onAgentSession: () => {},
    findRecord: () => Promise.resolve(undefined),
    onRecordChanged: () => {},
  });

test.each(['kill', 'close'] as const)('starts no process for a message if %s comes first', async (end) => {
  const spawn = vi.fn<AgentSpawner['spawn']>(() => Promise.reject(new Error('started')));
  const session = sessionWith(spawn);
  const sending = session.send('hello', {});
  sending.catch(() => {});
  await session[end]();
  await expect(sending).rejects.toMatchObject({ code: 'SESSION_DEAD' });
  expect(spawn).not.toHaveBeenCalled();
});

// It loads the Agent SDK, which takes a while on a busy machine.
test('starts anew after it was ended before Claude Code recorded anything', { timeout: 60_000 }, async () => {
  const spawn = vi.fn<AgentSpawner['spawn']>(async () => agent());
  const session = sessionWith(spawn);
  await session.send('hello', { turnId: 't1' });
  await session.kill();
  await session.send('again', { turnId: 't2' });
  const starts = spawn.mock.calls.map(([{ args }]) => args.filter((arg) => /^--(?:resume|session-id)\b/.test(arg)));
  expect(starts).toEqual([['--session-id=s'], ['--session-id=s']]);
  await session.close();
});

/** A Claude Code that says what the test wants, and counts how often it is interrupted. */
function talkingAgent() {
  const running = agent();
  const write = (message: object) => void (running.stdout as PassThrough).write(`${JSON.stringify(message)}\n`);
  let interrupts = 0;
  createInterface({ input: running.stdin as PassThrough }).on('line', (line) => {
    const { type, request, request_id } = JSON.parse(line) as Loose;
    if (type !== 'control_request') return;
    if (asRecord(request)['subtype'] === 'interrupt') interrupts += 1;
    write({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
  });
  return { running, write, interrupts: () => interrupts };
}

test.each([
  ['during', false],
  ['just before', true],
])(
  'stops a message that was sent %s a turn of the agent, once it starts',
  { timeout: 60_000 },
  async (_, isSentBefore) => {
    const { running, write, interrupts } = talkingAgent();
    const hub = createSessionHub(silentLog);
    const turns: TurnEvent[] = [];
    hub.turns.listen((event) => turns.push(event));
    const session = sessionWith(async () => running, hub);
    await session.send('first', { turnId: 't1' });
    write(say.init([uuidOfTurn('t1')]));
    write(say.result());
    await vi.waitFor(() => expect(turns).toHaveLength(2), { timeout: 60_000 });

    if (isSentBefore) await session.send('second', { turnId: 't2' });
    write(say.init([]));
    await vi.waitFor(() => expect(turns).toHaveLength(3));
    if (!isSentBefore) await session.send('second', { turnId: 't2' });
    await session.cancel();
    expect(interrupts()).toBe(1);
    write(say.result());
    await vi.waitFor(() => expect(turns.at(-1)).toMatchObject({ status: 'cancelled' }));

    write(say.init([uuidOfTurn('t2')]));
    await vi.waitFor(() => expect(interrupts()).toBe(2));
    write(say.result());
    await vi.waitFor(() => expect(turns.at(-1)).toMatchObject({ turnId: 't2', status: 'cancelled' }));

    await session.send('third', { turnId: 't3' });
    write(say.init([uuidOfTurn('t3')]));
    write(say.result());
    await vi.waitFor(() => expect(turns.at(-1)).toMatchObject({ turnId: 't3', status: 'completed' }));
    expect(interrupts()).toBe(2);
    await session.close();
  },
);
