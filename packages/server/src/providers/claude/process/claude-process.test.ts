import { expect, test, vi } from 'vitest';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import type { AgentProcess, AgentSpawner } from '../../../processes/spawn-agent.ts';
import { defaultLimits } from './claude-deps.ts';
import { type ProcessListener, startClaudeProcess } from './claude-process.ts';
import type { ClaudeQuery, UserMessage } from './claude-sdk.ts';
import { createMessageQueue } from './message-queue.ts';
import type { SpareProcess } from './spare.ts';

const never = new Promise<never>(() => {});
const nothing = async (): Promise<void> => {};

/** A spare that refuses its folder, and has ended by the time its session learns of it. */
function refusingSpare(): SpareProcess {
  const agent = { pid: 1, isRunning: false, exited: never, stderrTail: () => '' } as unknown as AgentProcess;
  const query: ClaudeQuery = {
    begun: Promise.resolve(),
    messages: (async function* () {
      await never;
      yield undefined;
    })(),
    interrupt: nothing,
    setModel: nothing,
    setMode: nothing,
    setEffort: nothing,
    choices: () => never,
    close: () => {},
  };
  const claim = () => ({ query, claimed: Promise.reject(new Error('not this folder')) });
  return { sessionId: 's', trusted: true, agent, bind: () => {}, claim, kill: nothing };
}

// It loads the Agent SDK, which takes a while on a busy machine.
test('a process that replaces a refused spare counts as alive while it starts', { timeout: 60_000 }, async () => {
  const spawn = vi.fn<AgentSpawner['spawn']>(() => never);
  const listener: ProcessListener = {
    said: () => {},
    heldLength: () => 0,
    ended: () => {},
    toolCall: nothing,
    permission: () => never,
    form: () => never,
  };
  const started = startClaudeProcess(
    {
      spawner: { spawn, close: nothing },
      log: silentLog,
      env: { LIMINAL_CLAUDE_PATH: '/bin/true' },
      now: () => 0,
      newId: () => 'id',
      limits: defaultLimits,
    },
    listener,
    {
      messages: createMessageQueue<UserMessage>(),
      session: {
        cwd: '/',
        sessionId: 's',
        resume: false,
        model: undefined,
        mode: 'default',
        effort: undefined,
        maxThinkingTokens: undefined,
      },
      trusted: true,
      mayBypass: false,
      spare: refusingSpare(),
    },
  );
  await vi.waitFor(() => expect(spawn).toHaveBeenCalled(), { timeout: 60_000 });
  expect(started.isAlive).toBe(true);
});
