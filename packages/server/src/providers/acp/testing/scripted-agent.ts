import type { PermissionRequest, SessionInfo, TurnEvent, UpsertObject } from '@liminal/contracts';
import { vi } from 'vitest';
import type { CliProvider, PermissionSignal } from '../../provider.ts';
import { acpCapabilities, type AgentSpec } from '../catalogue/agent-spec.ts';

const agentScript = (body: string): string => `
  const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const update = (update) => out({ method: 'session/update', params: { sessionId: 's1', update } });
  const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const on = {
    initialize: ({ id }) => out({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }),
    'session/new': ({ id }) => out({ id, result: { sessionId: 's1' } }),
    'session/load': ({ id }) => out({ id, result: {} }),
    'session/prompt': ({ id }) => { say('hello'); out({ id, result: { stopReason: 'end_turn' } }); },
    'session/cancel': () => {},
  };
  const answers = new Map();
  let nextId = 100;
  const ask = (method, params) => new Promise((resolve) => {
    const id = nextId++;
    answers.set(id, resolve);
    out({ id, method, params: { sessionId: 's1', ...params } });
  });
  ${body}
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method) on[message.method]?.(message); else answers.get(message.id)?.(message.result ?? message.error);
  });
`;

/** An agent made of a few lines of JavaScript in a real process; `body` changes its answers. */
export const scriptedAgent = (body: string, spec: Partial<AgentSpec> = {}): AgentSpec => ({
  id: 'scripted',
  name: 'Scripted',
  command: process.execPath,
  args: ['-e', agentScript(body)],
  env: {},
  family: 'none',
  capabilities: acpCapabilities,
  ...spec,
});

export type Talk = {
  readonly sessionId: string;
  readonly upserts: UpsertObject[];
  readonly turns: TurnEvent[];
  readonly asked: PermissionSignal[];
  readonly infos: SessionInfo[];
  ended(): Promise<TurnEvent>;
};

/** Creates a session and keeps everything it sends. */
export async function talkTo(provider: CliProvider, projectDir: string, patienceMs = 10_000): Promise<Talk> {
  const { sessionId } = await provider.createSession({ projectDir });
  const heard = {
    upserts: [] as UpsertObject[],
    turns: [] as TurnEvent[],
    asked: [] as PermissionSignal[],
    infos: [] as SessionInfo[],
  };
  provider.onUpsert(sessionId, (upsert) => heard.upserts.push(upsert));
  provider.onTurn(sessionId, (event) => heard.turns.push(event));
  provider.onPermission?.(sessionId, (signal) => heard.asked.push(signal));
  provider.onSessionInfo?.(sessionId, (info) => heard.infos.push(info));
  const ended = (): Promise<TurnEvent> =>
    vi.waitFor(
      () => {
        const last = heard.turns.at(-1);
        if (!last || last.type === 'turn_started') throw new Error('the turn has not ended');
        return last;
      },
      { timeout: patienceMs },
    );
  return { sessionId, ...heard, ended };
}

/** The first question the agent asks. */
export const opened = (asked: readonly PermissionSignal[], patienceMs = 10_000): Promise<PermissionRequest> =>
  vi.waitFor(
    () => {
      const signal = asked.find((candidate) => candidate.state === 'open');
      if (signal?.state !== 'open') throw new Error('nothing was asked');
      return signal.request;
    },
    { timeout: patienceMs },
  );
