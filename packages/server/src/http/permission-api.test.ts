import type { PermissionDecision, PermissionRequest, ServerMessage } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PermissionSignal } from '../providers/provider.ts';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { connectSocket } from '../testing/socket-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
const signals = new Map<string, (signal: PermissionSignal) => void>();
beforeEach(async () => {
  server = await startTestServer();
  const { provider } = server;
  const listen = provider.onPermission?.bind(provider);
  provider.onPermission = (sessionId, listener) => {
    signals.set(sessionId, listener);
    return listen?.(sessionId, listener) ?? (() => {});
  };
});
afterEach(() => server.close());

const request = (turnId: string, requestId = 'r1'): PermissionRequest => ({
  requestId,
  turnId,
  kind: 'tool',
  title: 'Run rm -rf build',
  toolName: 'Bash',
  options: [
    { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'always', name: 'Always allow rm in this project', kind: 'allow_always' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
  openedAt: '2026-01-01T00:00:00.000Z',
});

/** A turn with a permission request. */
async function asking(requestIds = ['r1']): Promise<{ id: string; turnId: string }> {
  const id = await server.newSession();
  const sent = server.provider.sent.length;
  const { turnId } = (await server.call<{ turnId: string }>('POST', `/api/session/${id}/send`, { content: 'clean' }))
    .body;
  await vi.waitFor(() => expect(server.provider.sent).toHaveLength(sent + 1));
  server.provider.start(id);
  for (const requestId of requestIds) server.provider.ask(id, request(turnId, requestId));
  return { id, turnId };
}
const answer = (id: string, optionId: string, more: object = {}) =>
  server.call('POST', `/api/session/${id}/permission`, { requestId: 'r1', optionId, ...more });
const audit = async (id: string) => {
  await server.served.writer.flush();
  return (await server.call<{ decisions: PermissionDecision[] }>('GET', `/api/session/${id}/audit`)).body.decisions;
};
const activity = async (id: string) => (await server.call('GET', `/api/session/${id}/status`)).body['activity'];

describe('answering a permission request', () => {
  it('PM-1: accepts the first of two simultaneous answers and rejects the other as closed', async () => {
    const { id } = await asking();
    expect(await activity(id)).toBe('waiting');
    const answers = await Promise.all([answer(id, 'once'), answer(id, 'no')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(answers[1]?.body.error.code).toBe('PERMISSION_CLOSED');
    expect(server.provider.resolved).toEqual([{ requestId: 'r1', optionId: 'once' }]);
    expect(await audit(id)).toHaveLength(1);
    expect(await activity(id)).toBe('working');
  });

  it('PM-1: rejects an option that wasn’t offered, and the agent sees nothing of it', async () => {
    const { id } = await asking();
    const { status, body } = await answer(id, 'yes-to-all');
    expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.error.message).toContain('once, always, no');
    expect([server.provider.resolved, await audit(id), await activity(id)]).toEqual([[], [], 'waiting']);
  });

  it('PM-1: reports an unknown request, or one of another session, as not found', async () => {
    const first = await asking();
    const second = await asking(['r2']);
    expect((await answer(second.id, 'once')).body.error.code).toBe('PERMISSION_NOT_FOUND');
    const foreign = await answer(first.id, 'once', { requestId: 'r2' });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'PERMISSION_NOT_FOUND']);
    expect((await answer('none', 'once')).body.error.code).toBe('SESSION_NOT_FOUND');
    expect(server.provider.resolved).toEqual([]);
  });

  it('PM-3: answers nothing automatically', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date', 'performance'] });
    try {
      const { id } = await asking();
      await vi.advanceTimersByTimeAsync(24 * 3_600_000);
      expect([server.provider.resolved, await activity(id)]).toEqual([[], 'waiting']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('PM-4: records who, when, what and which option, with the reason sent to the agent', async () => {
    const { id, turnId } = await asking();
    await answer(id, 'no', { feedback: 'Keep the build.' });
    expect(await audit(id)).toEqual([
      {
        sessionId: id,
        requestId: 'r1',
        turnId,
        title: 'Run rm -rf build',
        toolName: 'Bash',
        optionId: 'no',
        optionName: 'Reject',
        outcome: 'answered',
        by: 'person',
        at: expect.stringMatching(/Z$/) as string,
        feedback: 'Keep the build.',
      },
    ]);
  });
});

describe('a note to the agent', () => {
  it('PM-1: becomes the next message if the agent can’t take it with the answer', async () => {
    const { id } = await asking();
    await answer(id, 'no', { feedback: ' Keep the build. ' });
    expect((await server.call('GET', `/api/session/${id}/queue`)).body.queue).toMatchObject([
      { content: 'Keep the build.' },
    ]);
    server.provider.end(id);
    await vi.waitFor(() => expect(server.provider.sent.at(-1)).toMatchObject({ message: 'Keep the build.' }));
  });

  it('PM-1: is sent with the answer if the agent takes it, and isn’t sent twice', async () => {
    await server.close();
    const { capabilities } = createScriptedProvider();
    const provider = createScriptedProvider('scripted', { capabilities: { ...capabilities, feedback: true } });
    server = await startTestServer({ provider });
    const { id } = await asking();
    await answer(id, 'no', { feedback: 'Keep the build.' });
    expect(provider.resolved).toEqual([{ requestId: 'r1', optionId: 'no', feedback: 'Keep the build.' }]);
    expect((await server.call('GET', `/api/session/${id}/queue`)).body.queue).toEqual([]);
  });

  it('PM-1: becomes the next message if it comes with an answer that allows, or refuses a form', async () => {
    await server.close();
    const { capabilities } = createScriptedProvider();
    const provider = createScriptedProvider('scripted', { capabilities: { ...capabilities, feedback: true } });
    server = await startTestServer({ provider });
    const { id, turnId } = await asking();
    await answer(id, 'once', { feedback: 'Only this time.' });
    provider.ask(id, { ...request(turnId, 'r2'), kind: 'form' });
    await answer(id, 'no', { requestId: 'r2', feedback: 'Ask me later.' });
    expect((await server.call('GET', `/api/session/${id}/queue`)).body.queue).toMatchObject([
      { content: 'Only this time.' },
      { content: 'Ask me later.' },
    ]);
  });
});

describe('PM-2: a request ends', () => {
  const ends: [string, (id: string) => unknown, { by: string; reason: RegExp }][] = [
    ['on cancel', (id) => server.call('POST', `/api/session/${id}/cancel`), { by: 'person', reason: /cancelled/ }],
    ['with the turn', (id) => server.provider.end(id), { by: 'agent', reason: /completed/ }],
    [
      'with a turn that fails',
      (id) => server.provider.end(id, { type: 'turn_error', errorCode: 'MODEL_ERROR', errorMessage: 'x' }),
      { by: 'agent', reason: /failed/ },
    ],
    ['when the agent dies', (id) => server.provider.die(id), { by: 'agent', reason: /failed|gone/ }],
    [
      'when the session is killed',
      (id) => server.call('POST', `/api/session/${id}/kill`),
      { by: 'person', reason: /cancelled|ended/ },
    ],
    [
      'when the agent withdraws it',
      (id) => signals.get(id)?.({ state: 'ended', requestId: 'r1', reason: 'Another tool was used.' }),
      { by: 'agent', reason: /Another tool/ },
    ],
  ];
  it.each(ends)('PM-2: %s, is reported as ended, and can no longer be answered', async (_name, end, { by, reason }) => {
    const port = await server.served.listen();
    const { id } = await asking();
    const socket = await connectSocket(port);
    socket.say({ type: 'session:subscribe', sessionId: id });
    const history = await socket.next((message) => message.type === 'session:history');
    expect(history).toMatchObject({ permissions: [{ requestId: 'r1' }] });
    await end(id);
    const notice = await socket.next((message: ServerMessage) => message.type === 'session:permission');
    expect(notice).toMatchObject({
      payload: { state: 'ended', request: { requestId: 'r1' }, reason: expect.stringMatching(reason) as string },
    });
    await socket.close();
    expect((await answer(id, 'once')).body.error.code).toBe('PERMISSION_CLOSED');
    expect(server.provider.resolved).toEqual([]);
    const decisions = await audit(id);
    expect(decisions).toMatchObject([{ requestId: 'r1', outcome: 'ended', by, title: 'Run rm -rf build' }]);
    expect(decisions[0]).not.toHaveProperty('optionId');
    expect(decisions[0]?.reason).toMatch(reason);
  });

  it('PM-2: survives a lost socket, and the next one receives and answers it', async () => {
    const port = await server.served.listen();
    const { id } = await asking();
    const lost = await connectSocket(port);
    lost.say({ type: 'session:subscribe', sessionId: id });
    await lost.next((message) => message.type === 'session:history');
    lost.socket.terminate();
    const back = await connectSocket(port);
    back.say({ type: 'session:subscribe', sessionId: id });
    expect(await back.next((message) => message.type === 'session:history')).toMatchObject({
      permissions: [{ requestId: 'r1' }],
    });
    expect((await answer(id, 'always')).status).toBe(200);
    expect(await back.next((message) => message.type === 'session:permission')).toMatchObject({
      payload: { state: 'answered', optionId: 'always' },
    });
    await back.close();
  });

  it('PM-2: is still known as closed after a restart', async () => {
    const store = createMemoryStore();
    await server.close();
    server = await startTestServer({ store });
    const { id } = await asking();
    await answer(id, 'once');
    await server.close();
    server = await startTestServer({ store, provider: createScriptedProvider() });
    expect((await answer(id, 'once')).body.error.code).toBe('PERMISSION_CLOSED');
  });
});
