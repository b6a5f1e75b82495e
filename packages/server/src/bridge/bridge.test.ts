import type { BridgeMessage, PermissionRequest } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScriptedProvider, type ScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { bridgeClient, type BridgeClient } from '../testing/bridge-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import type { OwnCommand } from './task-agent.ts';

let server: TestServer;
let other: ScriptedProvider;
let port: number;
let bridge: BridgeClient;
const keys: string[] = [];
const commands: OwnCommand[] = [];
let own: ScriptedProvider[] = [];

beforeEach(async () => {
  keys.length = commands.length = 0;
  own = [];
  const make = (cliType: string) => {
    const provider = createScriptedProvider(cliType);
    own.push(provider);
    return provider;
  };
  other = createScriptedProvider('claude-code', { setModel: async () => {} });
  server = await startTestServer({
    others: [other],
    agentMaker: {
      fromCommand: (command) => (commands.push(command), make(command.cliType)),
      claudeWithKey: (cliType, key) => (keys.push(key), make(cliType)),
    },
  });
  port = await server.served.listen();
  bridge = await bridgeClient(port);
});
afterEach(async () => {
  await bridge.close();
  await server.close();
});

const acp = (more: object = {}) =>
  ({ type: 'acp', payload: { agentId: 'scripted', cwd: server.folder, ...more } }) as const;
const sdk = (more: object = {}) => ({ type: 'claude-sdk', payload: { cwd: server.folder, ...more } }) as const;
const connected = async (taskId: string, connection: ReturnType<typeof acp> | ReturnType<typeof sdk> = acp()) => {
  const answer = await bridge.invoke('agent:connect', taskId, connection);
  if (!answer.success) throw new Error(answer.error);
  return answer.sessionId ?? '';
};
/** Sends a message, lets the agent start the turn, and returns the turn's id. */
const turn = async (taskId: string, provider: ScriptedProvider, sessionId: string, text = 'hello'): Promise<string> => {
  const sent = provider.sent.length;
  const answer = await bridge.invoke('agent:send', taskId, text);
  if (!answer.success) throw new Error(answer.error);
  await vi.waitFor(() => expect(provider.sent).toHaveLength(sent + 1));
  provider.start(sessionId);
  return answer.turnId;
};
const request = (turnId: string): PermissionRequest => ({
  requestId: 'r1',
  turnId,
  kind: 'tool',
  title: 'Run it',
  options: [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ],
  openedAt: '2026-01-01T00:00:00.000Z',
});
const textsOf = (messages: readonly BridgeMessage[]) =>
  messages.flatMap((message) => (message.type === 'agent_text' ? [message.text] : []));

describe('BR-1: the bridge', () => {
  it('BR-1: runs two agents at once and reports each under its own task', async () => {
    const [a, b] = await Promise.all([connected('a'), connected('b', sdk({ model: 'opus' }))]);
    expect(other.created[0]).toMatchObject({ projectDir: server.folder, providerOptions: { modelId: 'opus' } });
    const [ta, tb] = await Promise.all([turn('a', server.provider, a), turn('b', other, b)]);
    server.provider.say(a, `${ta}:1:0`, 'from', 'create');
    other.say(b, `${tb}:1:0`, 'from b', 'complete');
    server.provider.say(a, `${ta}:1:0`, 'from a', 'complete');
    server.provider.end(a);
    await bridge.next('a', (message) => message.type === 'system' && message.subtype === 'turn_complete');
    await vi.waitFor(() => expect(textsOf(bridge.of('b'))).toEqual(['from b']));
    expect(textsOf(bridge.of('a')).join('')).toBe('from a');
    const pieces = bridge.of('a').filter(({ type }) => type === 'agent_text');
    expect(new Set(pieces.map((piece) => 'msg_id' in piece && piece.msg_id))).toEqual(new Set([`${ta}:1:0`]));
    expect(bridge.of('b').some((message) => JSON.stringify(message).includes('from a'))).toBe(false);
  });

  it('BR-1: sends a permission request to the host, which can answer it once', async () => {
    const id = await connected('a');
    server.provider.ask(id, request(await turn('a', server.provider, id)));
    const asked = await bridge.next('a', (message) => message.type === 'permission_request');
    expect(asked).toMatchObject({ id: 'r1', title: 'Run it', options: [{ optionId: 'yes' }, { optionId: 'no' }] });
    expect(await bridge.invoke('agent:permission-response', 'a', 'r1', 'maybe')).toMatchObject({
      success: false,
      code: 'INVALID_REQUEST',
    });
    expect(await bridge.invoke('agent:permission-response', 'a', 'r1', { optionId: 'no', feedback: 'stop' })).toEqual({
      success: true,
    });
    expect(await bridge.invoke('agent:permission-response', 'a', 'r1', 'yes')).toMatchObject({
      success: false,
      code: 'PERMISSION_CLOSED',
    });
    expect(server.provider.resolved).toEqual([{ requestId: 'r1', optionId: 'no', feedback: 'stop' }]);
    await bridge.next('a', (message) => message.type === 'system' && message.subtype === 'permission_closed');
    const { body } = await server.call('GET', `/api/session/${id}/audit`);
    expect(body['decisions']).toMatchObject([{ by: 'host of task a', optionId: 'no' }]);
  });

  it('BR-1: stops, lists capabilities and sets the model, and rejects unsupported calls', async () => {
    const id = await connected('a');
    const b = await connected('b', sdk());
    await turn('a', server.provider, id);
    expect(await bridge.invoke('agent:stop', 'a')).toEqual({ success: true });
    expect(server.provider.cancelled).toBe(1);
    expect(await bridge.invoke('agent:set-model', 'b', 'm')).toEqual({ success: true });
    expect(await bridge.invoke('agent:set-model', 'a', 'm')).toMatchObject({ success: false, error: 'not supported' });
    expect(await bridge.raw('agent:dance', ['a'])).toMatchObject({ success: false, error: 'not supported' });
    expect(await bridge.invoke('agent:get-capabilities', 'b')).toMatchObject({
      success: true,
      connected: true,
      sessionId: b,
      capabilities: { steer: false },
    });
    const { lastError } = (await bridge.invoke('agent:get-capabilities', 'a')) as { lastError?: { code: string } };
    expect(lastError).toMatchObject({ code: 'NOT_SUPPORTED' });
  });

  it('BR-1: keeps the session on an identical reconnect if asked to, and starts a new one for another connection', async () => {
    const id = await connected('a');
    const again = { cwd: server.folder, agentId: 'scripted' };
    const reuse = { reuseIfSame: true };
    expect(await bridge.invoke('agent:connect', 'a', { type: 'acp', payload: again }, reuse)).toEqual({
      success: true,
      sessionId: id,
    });
    expect(server.provider.created).toHaveLength(1);
    await server.call('POST', `/api/session/${id}/kill`);
    expect(await bridge.invoke('agent:connect', 'a', acp(), reuse)).toEqual({ success: true, sessionId: id });
    expect(server.provider.isAlive(id)).toBe(true);
    expect(await connected('a')).not.toBe(id);
    expect(server.provider.isAlive(id)).toBe(false);
    const other = acp({ options: { modelId: 'other' } });
    await bridge.invoke('agent:connect', 'a', other, reuse);
    expect(server.provider.created).toHaveLength(3);
  });

  it('BR-1: starts a task without sessions, then creates, switches and loads them with their history', async () => {
    expect(await bridge.invoke('agent:connect', 'a', acp(), { createSession: false })).toEqual({ success: true });
    expect(await bridge.invoke('agent:send', 'a', 'hi')).toMatchObject({ success: false, code: 'INVALID_REQUEST' });
    const first = (await bridge.invoke('agent:new-session', 'a')) as { sessionId: string };
    const turnId = await turn('a', server.provider, first.sessionId, 'question');
    server.provider.say(first.sessionId, `${turnId}:1:0`, 'one', 'update');
    await vi.waitFor(() => expect(textsOf(bridge.of('a'))).toEqual(['one']));
    const second = (await bridge.invoke('agent:new-session', 'a')) as { sessionId: string };
    server.provider.say(first.sessionId, `${turnId}:1:0`, 'one two', 'complete');
    server.provider.end(first.sessionId);
    expect(await bridge.invoke('agent:set-active-session', 'a', 'foreign')).toMatchObject({
      success: false,
      code: 'SESSION_NOT_FOUND',
    });
    expect(await bridge.invoke('agent:set-active-session', 'a', first.sessionId)).toEqual({ success: true, ...first });
    await vi.waitFor(() => expect(textsOf(bridge.of('a'))).toEqual(['one', ' two']));
    await bridge.invoke('agent:resume-session', 'a', second.sessionId);
    await bridge.invoke('agent:load-session', 'a', first.sessionId);
    await vi.waitFor(() => expect(textsOf(bridge.of('a'))).toEqual(['one', ' two', 'one two']));
    expect(bridge.of('a')).toContainEqual(expect.objectContaining({ subtype: 'user_message', text: 'question' }));
    expect(await bridge.invoke('agent:load-session', 'a', 'nowhere')).toMatchObject({
      success: false,
      code: 'SESSION_NOT_FOUND',
    });
  });

  it('BR-1: reconnects a host to the same agent and sends it the running turn', async () => {
    const id = await connected('a');
    const turnId = await turn('a', server.provider, id);
    server.provider.say(id, `${turnId}:1:0`, 'so far', 'update');
    await bridge.close();
    bridge = await bridgeClient(port);
    expect(await bridge.invoke('agent:connect', 'a', acp(), { reuseIfSame: true })).toEqual({
      success: true,
      sessionId: id,
    });
    server.provider.say(id, `${turnId}:1:0`, 'so far so good', 'complete');
    await vi.waitFor(() => expect(textsOf(bridge.of('a')).join('')).toBe('so far so good'));
    expect(server.provider.created).toHaveLength(1);
  });

  it('BR-1: keeps an agent defined by its command private to its task and ends it with the task', async () => {
    const payload = {
      command: '/opt/my agent/run',
      args: ['--flag; rm -rf /'],
      cwd: server.folder,
      env: { KEY: 'canary-env' },
    };
    const id = await connected('a', { type: 'acp', payload } as never);
    expect(commands).toMatchObject([
      { name: 'run', command: '/opt/my agent/run', args: ['--flag; rm -rf /'], env: { KEY: 'canary-env' } },
    ]);
    const { providers } = (await server.call<{ providers: { cliType: string }[] }>('GET', '/api/providers')).body;
    expect(providers.map(({ cliType }) => cliType)).toEqual(['scripted', 'claude-code']);
    expect(own[0]?.isAlive(id)).toBe(true);
    const closed = vi.spyOn(own[0]!, 'close');
    expect(await bridge.invoke('agent:disconnect', 'a')).toEqual({ success: true });
    expect([own[0]?.isAlive(id), closed.mock.calls.length]).toEqual([false, 1]);
    expect(await bridge.invoke('agent:send', 'a', 'hi')).toMatchObject({ success: false });
    expect(JSON.stringify(server.store.sessions())).not.toContain('canary-env');
  });

  it('BR-1: gives a key to its agent and nothing else', async () => {
    const id = await connected('a', sdk({ apiKey: 'canary-key' }));
    await turn('a', own[0]!, id);
    expect(keys).toEqual(['canary-key']);
    expect(other.created).toEqual([]);
    const kept = JSON.stringify([
      server.store.sessions(),
      server.store.openTurns(),
      server.store.setting('preferences'),
      own[0]?.created,
    ]);
    expect(kept).not.toContain('canary-key');
    expect(JSON.stringify(bridge.of('a'))).not.toContain('canary-key');
    expect(JSON.stringify((await server.call('GET', `/api/session/${id}/history`)).body)).not.toContain('canary-key');
  });

  it('BR-1: answers invalid calls and keeps the socket open', async () => {
    const wrong: [string, unknown[]][] = [
      ['agent:connect', []],
      ['agent:connect', ['a', { type: 'telepathy', payload: {} }]],
      ['agent:connect', ['a', { type: 'acp', payload: {} }]],
      ['agent:connect', ['a', { type: 'acp', payload: 'scripted' }]],
      ['agent:connect', ['a', { type: 'acp', payload: { agentId: 'none', cwd: '/' } }]],
      ['agent:connect', ['a', { type: 'acp', payload: { agentId: 'scripted', cwd: '/nowhere' } }]],
      ['agent:send', ['a']],
      ['agent:send', ['a', 'hi']],
      ['agent:stop', [1]],
      ['__proto__', ['a']],
      ['toString', ['a']],
    ];
    for (const [channel, args] of wrong) expect(await bridge.raw(channel, args)).toMatchObject({ success: false });
    expect(await connected('a')).not.toBe('');
    const bad = [{ mimeType: 'image/png', data: 'bm90IGFuIGltYWdl' }];
    expect(await bridge.raw('agent:send', ['a', 'look', bad])).toMatchObject({
      success: false,
      code: 'INVALID_REQUEST',
    });
    expect(server.provider.sent).toEqual([]);
  });

  it('BR-1: holds messages sent right after connecting until the agent is ready', async () => {
    const calls = [bridge.invoke('agent:connect', 'a', acp()), bridge.invoke('agent:send', 'a', 'first')];
    expect((await Promise.all(calls)).map(({ success }) => success)).toEqual([true, true]);
    await vi.waitFor(() => expect(server.provider.sent.map(({ message }) => message)).toEqual(['first']));
  });

  it('BR-1: sends the events of a task to its host after two connections right after each other', async () => {
    const calls = [bridge.invoke('agent:connect', 'a', acp()), bridge.invoke('agent:connect', 'a', sdk())] as const;
    const [, second] = await Promise.all(calls);
    const id = (second.success && second.sessionId) || '';
    await server.call('POST', `/api/session/${id}/send`, { content: 'hello' });
    await vi.waitFor(() => expect(other.sent).toHaveLength(1));
    other.start(id);
    other.end(id);
    await bridge.next('a', (message) => message.type === 'system' && message.subtype === 'turn_complete');
  });
});
