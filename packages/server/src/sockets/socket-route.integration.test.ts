import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerMessage, SessionMessage } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connectSocket, type SocketClient } from '../testing/socket-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let port: number;
const clients: SocketClient[] = [];
const connect = async () => {
  const client = await connectSocket(port);
  clients.push(client);
  return client;
};
beforeEach(async () => {
  server = await startTestServer({ limits: { maxOutboxBytes: 64 * 1024, writeBehindMs: 500 } });
  port = await server.served.listen();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

const isType =
  <Type extends ServerMessage['type']>(type: Type) =>
  (message: ServerMessage): message is Extract<ServerMessage, { type: Type }> =>
    message.type === type;
const ended = (message: ServerMessage) => message.type === 'session:turn' && message.payload.type !== 'turn_started';

/** A session with a running turn. */
async function running() {
  const sessionId = await server.newSession();
  const { turnId } = (
    await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'go' })
  ).body;
  await vi.waitFor(() => expect(server.provider.sent).not.toHaveLength(0));
  server.provider.start(sessionId);
  return { sessionId, turnId, item: `${turnId}:1:0` };
}

/** Grows an item by a word, as an accumulator does. */
function grow(sessionId: string, item: string, state: { text: string }, word: string) {
  const appendedFrom = state.text.length;
  state.text += word;
  if (appendedFrom === 0) server.provider.say(sessionId, item, state.text, 'create');
  else server.provider.say(sessionId, item, state.text, 'update', { appendedFrom, text: word });
}

/** The length of a text after applying this message. */
function lengthAfter(message: ServerMessage): number {
  if (message.type === 'session:append') return message.payload.offset + message.payload.text.length;
  return message.type === 'session:upsert' && message.payload.type === 'message' ? message.payload.content.length : 0;
}

describe('a subscription', () => {
  it('starts with a history, even an empty one, then sends changes', async () => {
    const sessionId = await server.newSession();
    const client = await connect();
    client.say({ type: 'session:subscribe', sessionId });
    const history = await client.next(isType('session:history'));
    expect(history).toMatchObject({
      sessionId,
      seq: expect.any(Number),
      entries: [],
      turns: [],
      queue: [],
      status: { state: 'open' },
    });
    const { turnId } = (
      await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'go' })
    ).body;
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(sessionId);
    server.provider.say(sessionId, `${turnId}:1:0`, 'hi', 'complete');
    server.provider.end(sessionId);
    await client.next(ended);
    const received = client.messages.filter((message): message is SessionMessage => 'seq' in message);
    expect(received.map((message) => message.seq)).toEqual(
      received.map((message) => message.seq).toSorted((a, b) => a - b),
    );
    expect(new Set(received.map((message) => message.epoch)).size).toBe(1);
  });

  it('TC-6.4: sends one message family: every session message has type, sessionId, epoch and seq', async () => {
    const { sessionId, item } = await running();
    const client = await connect();
    for (const encoding of ['full', 'append'] as const) {
      client.say({ type: 'session:subscribe', sessionId, encoding });
      await client.next(isType('session:history'));
      server.provider.say(sessionId, item, encoding);
      await client.next(
        (message) =>
          message.type === 'session:upsert' && 'content' in message.payload && message.payload.content === encoding,
      );
    }
    for (const message of client.messages) {
      expect(message.type).toMatch(/^session:(history|upsert|turn|append|permission|status|queue|info|resumed)$/);
      expect(message).toMatchObject({ sessionId, epoch: expect.any(String), seq: expect.any(Number) });
    }
  });

  it('TC-7.4a: sends the output of the provider port, and nothing else from an agent', async () => {
    const { sessionId, turnId } = await running();
    const client = await connect();
    client.say({ type: 'session:subscribe', sessionId });
    await client.next(isType('session:history'));
    const said = [1, 2, 3].map((ordinal) => `${turnId}:${ordinal}:0`);
    for (const itemId of said) server.provider.say(sessionId, itemId, `words of ${itemId}`, 'complete');
    server.provider.end(sessionId);
    await client.next(ended);
    const received = client.messages.filter(isType('session:upsert')).map(({ payload }) => payload.itemId);
    expect(received).toEqual(said);
    const turns = client.messages.filter(isType('session:turn')).map(({ payload }) => payload.type);
    expect(turns).toEqual(['turn_complete']);
  });

  it('sends a reader that asked for appends only new text, and never sends a finished text twice', async () => {
    const { sessionId, item } = await running();
    const client = await connect();
    client.say({ type: 'session:subscribe', sessionId, encoding: 'append' });
    await client.next(isType('session:history'));
    const state = { text: '' };
    for (const word of ['one ', 'two ', 'three']) {
      grow(sessionId, item, state, word);
      await new Promise(setImmediate);
    }
    server.provider.say(sessionId, item, state.text, 'complete', { appendedFrom: state.text.length, text: '' });
    await client.next((message) => message.type === 'session:append' && message.payload.status === 'complete');
    const upserts = client.messages.filter(isType('session:upsert'));
    const appends = client.messages.filter(isType('session:append'));
    expect(upserts).toHaveLength(1);
    expect(
      upserts.map(({ payload }) => (payload.type === 'message' ? payload.content : '')).join('') +
        appends.map(({ payload }) => payload.text).join(''),
    ).toBe('one two three');
  });

  it('resumes from a cursor with only the changes since', async () => {
    const { sessionId, turnId } = await running();
    const first = await connect();
    first.say({ type: 'session:subscribe', sessionId });
    await first.next(isType('session:history'));
    server.provider.say(sessionId, `${turnId}:1:0`, 'before', 'complete');
    const seen = await first.next(
      (message) => message.type === 'session:upsert' && message.payload.itemId === `${turnId}:1:0`,
    );
    const { epoch, seq } = seen as SessionMessage;
    await first.close();
    server.provider.say(sessionId, `${turnId}:2:0`, 'mean', 'create');
    server.provider.say(sessionId, `${turnId}:2:0`, 'meanwhile', 'complete');
    const second = await connect();
    second.say({ type: 'session:subscribe', sessionId, cursor: { epoch, seq } });
    await second.next((message) => message.type === 'session:upsert');
    expect(second.messages).toMatchObject([
      { type: 'session:resumed', verdict: 'ok', epoch, seq },
      { type: 'session:upsert', payload: { itemId: `${turnId}:2:0`, content: 'meanwhile', status: 'complete' } },
    ]);
  });

  it('answers a cursor of another epoch with gap and a history', async () => {
    const { sessionId } = await running();
    const client = await connect();
    client.say({ type: 'session:subscribe', sessionId, cursor: { epoch: 'old', seq: 7 } });
    await client.next(isType('session:history'));
    expect(client.messages.slice(0, 2)).toMatchObject([
      { type: 'session:resumed', verdict: 'gap', epoch: 'old', seq: 7 },
      { type: 'session:history' },
    ]);
  });

  it('is replaced by a second one to the same session, and survives kill and load', async () => {
    const { sessionId, item } = await running();
    const client = await connect();
    client.say({ type: 'session:subscribe', sessionId });
    client.say({ type: 'session:subscribe', sessionId });
    await vi.waitFor(() => expect(client.messages.filter(isType('session:history'))).toHaveLength(2));
    server.provider.say(sessionId, item, 'once', 'complete');
    await client.next(isType('session:upsert'));
    await server.call('POST', `/api/session/${sessionId}/kill`);
    await client.next((message) => message.type === 'session:status' && message.payload.state === 'dead');
    await server.call('POST', `/api/session/${sessionId}/load`);
    await client.next((message) => message.type === 'session:history' && message.status.state === 'open');
    expect(client.messages.filter((message) => message.type === 'session:upsert')).toHaveLength(1);
  });

  it('sends a full item on request', async () => {
    const { sessionId, item } = await running();
    server.provider.say(sessionId, item, 'whole text', 'complete');
    const client = await connect();
    client.say({ type: 'session:subscribe', sessionId });
    await client.next(isType('session:history'));
    client.say({ type: 'session:item', sessionId, itemId: item });
    expect(await client.next(isType('session:upsert'))).toMatchObject({
      payload: { itemId: item, content: 'whole text' },
    });
    client.say({ type: 'session:item', sessionId, itemId: 'none' });
    expect(await client.next(isType('error'))).toMatchObject({ code: 'ITEM_NOT_FOUND' });
  });

  it("holds no more than its limit for a reader that doesn't read: it restarts from a history, others miss nothing", async () => {
    const { sessionId, item } = await running();
    const [slow, quick] = [await connect(), await connect()];
    for (const client of [slow, quick]) client.say({ type: 'session:subscribe', sessionId, encoding: 'append' });
    await Promise.all([slow, quick].map((client) => client.next(isType('session:history'))));
    slow.socket.pause();
    const state = { text: '' };
    // Incompressible bytes, more than the kernel's socket buffers and the outbox hold together.
    const noise = () => randomBytes(24 * 1024).toString('base64');
    for (let round = 0; round < 400; round += 1) {
      grow(sessionId, item, state, noise());
      const length = state.text.length;
      await quick.next((message) => lengthAfter(message) === length);
    }
    server.provider.say(sessionId, item, state.text, 'complete', { appendedFrom: state.text.length, text: '' });
    server.provider.end(sessionId);
    await quick.next(ended);
    expect(quick.messages.filter(isType('session:history'))).toHaveLength(1);
    slow.socket.resume();
    const last = await slow.next(
      (message) => message.type === 'session:history' && message.turns.some((turn) => turn.state === 'completed'),
    );
    expect(last).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ itemId: item, status: 'complete' })]),
    });
  });
});

describe('the socket', () => {
  it('answers invalid messages with a coded error and stays open', async () => {
    const client = await connect();
    for (const text of ['', 'nonsense', '[]', '{"type":"session:subscribe"}', '{"type":"fly"}']) client.sayRaw(text);
    await vi.waitFor(() => expect(client.messages).toHaveLength(5));
    expect(client.messages.every((message) => message.type === 'error' && message.code === 'INVALID_REQUEST')).toBe(
      true,
    );
    client.say({ type: 'session:subscribe', sessionId: 'none' });
    client.say({ type: 'ping' });
    expect(await client.next(isType('pong'))).toEqual({ type: 'pong' });
    expect(client.messages.at(-2)).toMatchObject({ type: 'error', code: 'SESSION_NOT_FOUND', sessionId: 'none' });
  });

  it('stops following a session after an unsubscribe, and all sessions when it closes', async () => {
    const following = new Set<string>();
    const { follow } = server.served.bus;
    vi.spyOn(server.served.bus, 'follow').mockImplementation((sessionId, cursor, follower) => {
      const stop = follow(sessionId, cursor, follower);
      following.add(sessionId);
      return stop && (() => (following.delete(sessionId), stop()));
    });
    const [one, two] = [await server.newSession(), await server.newSession()];
    const client = await connect();
    for (const sessionId of [one, two]) client.say({ type: 'session:subscribe', sessionId });
    await vi.waitFor(() => expect(following).toEqual(new Set([one, two])));
    client.say({ type: 'session:unsubscribe', sessionId: one });
    client.say({ type: 'ping' });
    await client.next(isType('pong'));
    expect(following).toEqual(new Set([two]));
    await client.close();
    await vi.waitFor(() => expect(following.size).toBe(0));
  });

  it('closes on a message larger than the request limit', async () => {
    const client = await connect();
    const closed = once(client.socket, 'close').then(([code]: unknown[]) => code);
    client.socket.send('x'.repeat(32 * 1024 * 1024 + 1), { compress: false });
    expect(await Promise.race([closed, client.next(isType('error'))])).toBe(1009);
  });

  it('lists every session, open or not, and follows changes', async () => {
    const sessionId = await server.newSession();
    const client = await connect();
    client.say({ type: 'directory:subscribe' });
    expect(await client.next(isType('directory:changed'))).toMatchObject({
      sessions: [{ sessionId, status: 'open', activity: 'idle' }],
    });
    await server.call('PATCH', `/api/session/${sessionId}`, { title: 'Named' });
    await client.next((message) => message.type === 'directory:changed' && message.sessions[0]?.title === 'Named');
    await server.call('DELETE', `/api/session/${sessionId}`);
    expect(
      await client.next((message) => message.type === 'directory:changed' && message.removed !== undefined),
    ).toMatchObject({ removed: [sessionId] });
  });

  it.each([
    ['no token', { authorization: '' }, 401],
    ['a foreign origin', { origin: 'http://evil.example' }, 403],
    ['a foreign host', { host: 'evil.example' }, 421],
  ])('is refused before the upgrade with %s', async (_name, headers, status) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      headers: { authorization: 'Bearer test-token-of-sufficient-length', ...headers },
    });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(status);
  });
});
