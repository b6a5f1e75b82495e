import type { SendReply, SessionHistory, SessionInfo, SessionStatus } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionState } from '@liminal/contracts';
import { ProviderError } from '../../providers/provider-error.ts';
import { createScriptedProvider, type ScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { keepingReader } from '../../testing/session-samples.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let provider: ScriptedProvider;
let sessionId: string;
beforeEach(async () => {
  provider = createScriptedProvider();
  server = await startTestServer({ provider });
  sessionId = await server.newSession();
});
afterEach(() => server.close());

const post = (what: string, body?: object) => server.call('POST', `/api/session/${sessionId}/${what}`, body);
const status = async () => (await server.call<SessionStatus>('GET', `/api/session/${sessionId}/status`)).body;
const send = (content: string) => server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content });
const statesHeard = (reader: ReturnType<typeof keepingReader>): SessionState[] =>
  reader.changes.flatMap(({ body }) => (body.type === 'session:status' ? [body.payload.state] : []));
const refuseLoad = () =>
  vi.spyOn(provider, 'loadSession').mockRejectedValue(new ProviderError('AGENT_NOT_INSTALLED', 'Install it.'));

describe('opening a session', () => {
  it.each(['alive', 'asleep', 'dead'])('sends a new history when it is %s and nothing was added', async (how) => {
    if (how === 'asleep') await provider.killSession(sessionId);
    if (how === 'dead') await post('kill');
    const { follower, renewals } = keepingReader();
    server.served.bus.follow(sessionId, undefined, follower);
    expect((await post('load')).status).toBe(200);
    expect(renewals()).toBe(1);
    const again: SessionHistory[] = [];
    server.served.bus.follow(sessionId, undefined, {
      ...follower,
      caughtUp: (start) => void (start.verdict === 'fresh' && again.push(start.history)),
    });
    expect(again).toMatchObject([{ status: { state: 'open' } }]);
  });

  it('is loading until its agent is ready, and lets messages wait for it', async () => {
    await post('kill');
    const reader = keepingReader();
    server.served.bus.follow(sessionId, undefined, reader.follower);
    const gate = Promise.withResolvers<void>();
    const original = provider.loadSession.bind(provider);
    vi.spyOn(provider, 'loadSession').mockImplementation(async (...args) => {
      await gate.promise;
      return original(...args);
    });
    const opened = post('load');
    await vi.waitFor(async () => expect(await status()).toMatchObject({ state: 'loading', isAlive: false }));
    expect((await send('go')).status).toBe(202);
    expect(provider.sent).toEqual([]);
    gate.resolve();
    expect((await opened).status).toBe(200);
    await vi.waitFor(() => expect(provider.sent).toMatchObject([{ message: 'go' }]));
    expect(statesHeard(reader).slice(0, 2)).toEqual(['loading', 'open']);
  });

  it("leaves it dead with the reason while its agent can't be resumed", async () => {
    await post('kill');
    const load = refuseLoad();
    expect(await post('load')).toMatchObject({ status: 424, body: { error: { code: 'AGENT_NOT_INSTALLED' } } });
    const failed = { state: 'dead', lastError: { code: 'AGENT_NOT_INSTALLED', message: 'Install it.' } };
    await vi.waitFor(async () => expect(await status()).toMatchObject(failed));
    await server.served.writer.flush();
    expect(server.store.session(sessionId)).toMatchObject({ life: 'dead', lastError: failed.lastError });
    load.mockRestore();
    expect((await post('load')).status).toBe(200);
    expect(await status()).toMatchObject({ state: 'open', isAlive: true });
    expect((await status()).lastError).toBeUndefined();
  });
});

describe("a session whose agent started but whose record couldn't be read", () => {
  beforeEach(async () => {
    await post('kill');
    vi.spyOn(provider, 'readHistory').mockRejectedValueOnce(new ProviderError('PROTOCOL_ERROR', 'Unreadable.'));
    expect((await post('load')).body.error.code).toBe('PROTOCOL_ERROR');
    await vi.waitFor(async () => expect(await status()).toMatchObject({ state: 'dead' }));
  });

  it('opens at the next try', async () => {
    expect((await post('load')).status).toBe(200);
    expect(await status()).toMatchObject({ state: 'open', isAlive: true });
    expect((await send('go')).status).toBe(202);
  });

  it('can be ended after it was reopened', async () => {
    await post('load');
    expect((await post('kill')).status).toBe(200);
    expect(await status()).toMatchObject({ state: 'dead', isAlive: false });
  });
});

describe('a message that has to wake its agent', () => {
  it("fails with the session when the agent can't wake, and later messages are kept", async () => {
    const gate = Promise.withResolvers<never>();
    await provider.killSession(sessionId);
    const load = vi.spyOn(provider, 'loadSession').mockReturnValue(gate.promise);
    const { turnId } = (await send('first')).body;
    const second = (await send('second')).body;
    gate.reject(new ProviderError('AGENT_NOT_INSTALLED', 'Install it.'));
    await vi.waitFor(async () => expect(await status()).toMatchObject({ state: 'dead', activity: 'idle' }));
    await server.served.writer.flush();
    expect(server.store.turn(sessionId, turnId)).toMatchObject({
      state: 'failed',
      ended: { errorCode: 'AGENT_NOT_INSTALLED' },
    });
    const refused = await post('send', { content: 'third' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SESSION_DEAD']);
    expect(refused.body.error.message).toContain('Install it.');
    load.mockRestore();
    await post('load');
    await vi.waitFor(() => expect(provider.sent).toMatchObject([{ message: 'second', options: second }]));
  });
});

describe('a choice made while the agent wakes', () => {
  it.each([
    ['model', 'modelId', 'setModel'],
    ['mode', 'modeId', 'setMode'],
    ['effort', 'effort', 'setEffort'],
  ] as const)('of a %s applies before the message is sent', async (name, option, method) => {
    const chosen: string[] = [];
    Object.assign(provider, {
      [method]: async (_sessionId: string, value: string) => void chosen.push(`${value}, ${provider.sent.length} sent`),
    });
    await provider.killSession(sessionId);
    const gate = Promise.withResolvers<void>();
    const original = provider.loadSession.bind(provider);
    vi.spyOn(provider, 'loadSession').mockImplementation(async (...args) => {
      await gate.promise;
      return original(...args);
    });
    await send('go');
    expect((await post(name, { [option]: 'chosen' })).status).toBe(200);
    expect(chosen).toEqual([]);
    gate.resolve();
    await vi.waitFor(() => expect(provider.sent).toHaveLength(1));
    expect(chosen).toEqual(['chosen, 0 sent']);
  });
});

describe('a mode that the agent switches to by itself', () => {
  const heard = new Set<(info: SessionInfo) => void>();
  const report = (info: SessionInfo) => heard.forEach((listener) => listener(info));
  beforeEach(async () => {
    heard.clear();
    Object.assign(provider, {
      setMode: async (_: string, modeId: string) => report({ modeId }),
      onSessionInfo(_: string, listener: (info: SessionInfo) => void) {
        heard.add(listener);
        return () => heard.delete(listener);
      },
    });
    sessionId = await server.newSession();
    await post('mode', { modeId: 'plan' });
    await send('plan it');
    await vi.waitFor(() => expect(provider.sent).toHaveLength(1));
    provider.start(sessionId);
  });
  const approvePlan = async (optionId: string) => {
    provider.ask(sessionId, {
      requestId: 'r',
      turnId: provider.sent[0]?.options?.turnId ?? '',
      kind: 'plan',
      title: 'Approve this plan?',
      options: [
        { optionId: 'ask', name: 'Approve and ask before each edit', kind: 'allow_once' },
        { optionId: 'edit', name: 'Approve and allow all edits', kind: 'allow_always' },
        { optionId: 'reject', name: 'Keep planning', kind: 'reject_once' },
      ],
      openedAt: '2026-01-01T00:00:00.000Z',
    });
    await vi.waitFor(async () =>
      expect(await post('permission', { requestId: 'r', optionId })).toMatchObject({ status: 200 }),
    );
  };
  const modeOfNextStart = async () => {
    provider.end(sessionId);
    await vi.waitFor(async () => expect(await status()).toMatchObject({ activity: 'idle' }));
    await provider.killSession(sessionId);
    await send('go on');
    await vi.waitFor(() => expect(provider.sent).toHaveLength(2));
    return provider.loaded.at(-1)?.options?.providerOptions?.modeId;
  };

  it.each([
    ['is kept if it asks before each edit', 'ask', 'default', 'default'],
    ['is kept if the user approved all edits', 'edit', 'acceptEdits', 'acceptEdits'],
    ['is not kept if it asks less than the user approved', 'ask', 'acceptEdits', 'plan'],
    ['is never kept if it asks for nothing', 'edit', 'bypassPermissions', 'plan'],
  ])('%s', async (_, optionId, reported, expected) => {
    await approvePlan(optionId);
    report({ modeId: reported });
    expect(await modeOfNextStart()).toBe(expected);
  });

  it('goes on planning if the agent reported that it only plans', async () => {
    report({ isPlanning: true });
    await modeOfNextStart();
    expect(provider.loaded.at(-1)?.options?.providerOptions).toMatchObject({ isPlanning: true });
  });

  it('is not kept if it was reported outside a turn', async () => {
    provider.end(sessionId);
    await vi.waitFor(async () => expect(await status()).toMatchObject({ activity: 'idle' }));
    report({ modeId: 'default' });
    expect(await modeOfNextStart()).toBe('plan');
  });
});
