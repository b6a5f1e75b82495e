import type { HistoryPage, SendReply, SessionInfo } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../../providers/provider-error.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/test-server.ts';

let server: TestServer;
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});
async function start(options: TestServerOptions = {}): Promise<string> {
  server = await startTestServer(options);
  return server.newSession();
}
const history = async (sessionId: string) =>
  (await server.call<HistoryPage>('GET', `/api/session/${sessionId}/history`)).body;
async function send(sessionId: string, content: string): Promise<string> {
  return (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content })).body.turnId;
}
async function begin(sessionId: string): Promise<string> {
  const before = server.provider.sent.length;
  const turnId = await send(sessionId, 'go');
  await vi.waitFor(() => expect(server.provider.sent.length).toBe(before + 1));
  server.provider.start(sessionId);
  return turnId;
}

describe('a session', () => {
  it('puts new turns after those from a loaded record', async () => {
    await start();
    const { projectId } = (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder }))
      .body;
    const at = '2025-01-01T00:00:00.000Z';
    const base = {
      sessionId: 'found-1',
      sourceTimestamp: at,
      emittedAt: at,
      status: 'complete',
      type: 'message',
    } as const;
    server.provider.history = {
      turns: [
        { turnId: 'r1', state: 'completed' },
        { turnId: 'r2', state: 'completed' },
      ],
      entries: ['r1', 'r2'].map((turnId) => ({
        upsert: { ...base, turnId, itemId: `${turnId}:1:0`, origin: 'agent', content: turnId },
        sourceId: turnId,
      })),
    };
    await server.call('POST', '/api/session/found-1/load', { cliType: 'scripted', projectId });
    const turnId = await begin('found-1');
    server.provider.say('found-1', `${turnId}:1:0`, 'new', 'complete');
    server.provider.end('found-1');
    const { turns, entries } = await history('found-1');
    expect(turns.map((turn) => turn.turnId)).toEqual(['r1', 'r2', turnId]);
    const orders = entries.map((entry) => entry.order ?? -1);
    expect(new Set(orders).size).toBe(4);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  });

  it('recognises its own turn in the agent’s record by state that is not on disk yet', async () => {
    const sessionId = await start({ limits: { writeBehindMs: 3_600_000 } });
    const turnId = await begin(sessionId);
    server.provider.say(sessionId, `${turnId}:1:0`, 'half', 'update', { sourceId: 'agent-1' });
    const opened = server.served.roster.get(sessionId);
    if (!opened.ok) throw new Error('not open');
    const at = '2025-01-01T00:00:00.000Z';
    const base = { sessionId, sourceTimestamp: at, emittedAt: at, status: 'complete', type: 'message' } as const;
    const upsert = { ...base, turnId: 'r1', itemId: 'r1:1:0', origin: 'agent', content: 'half' } as const;
    const added = await opened.value.shell.merge({
      turns: [{ turnId: 'r1', state: 'completed' }],
      entries: [{ upsert, sourceId: 'agent-1' }],
    });
    expect(added).toBe(false);
    expect((await history(sessionId)).turns.map((turn) => turn.turnId)).toEqual([turnId]);
  });

  it('makes readers start over when a change couldn’t be published, and sends the message', async () => {
    const sessionId = await start();
    const renewed = vi.fn();
    server.served.bus.follow(sessionId, undefined, { caughtUp: () => {}, renewed, changed: () => {} });
    const opened = server.served.roster.get(sessionId);
    if (!opened.ok) throw new Error('not open');
    vi.spyOn(opened.value.shell.items, 'take').mockImplementationOnce(() => {
      throw new Error('cannot be placed');
    });
    await send(sessionId, 'go');
    expect(renewed).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(server.provider.sent).toMatchObject([{ message: 'go' }]));
  });

  it('makes its provider forget a deleted session', async () => {
    const forgotten: string[] = [];
    const provider = createScriptedProvider('scripted', {
      forgetSession: async (sessionId) => void forgotten.push(sessionId),
    });
    const sessionId = await start({ provider });
    expect((await server.call('DELETE', `/api/session/${sessionId}`)).status).toBe(204);
    expect(forgotten).toEqual([sessionId]);
  });

  it('sends nothing once the server is stopping, and keeps new messages for the next start', async () => {
    const sessionId = await start();
    await begin(sessionId);
    const waiting = await send(sessionId, 'next');
    server.served.roster.rest();
    server.provider.end(sessionId);
    const late = await send(sessionId, 'late');
    const { queue } = (await server.call<{ queue: { turnId: string }[] }>('GET', `/api/session/${sessionId}/queue`))
      .body;
    expect(queue.map(({ turnId }) => turnId)).toEqual([waiting, late]);
    expect(server.provider.sent).toHaveLength(1);
    expect(server.store.openTurns(sessionId).map(({ turnId, state }) => [turnId, state])).toEqual([
      [waiting, 'queued'],
      [late, 'queued'],
    ]);
  });

  it('keeps the user’s changes on disk when the agent’s are written to the same row later', async () => {
    const memory = createMemoryStore();
    let gate = Promise.resolve();
    const store: Store = {
      ...memory,
      async write(writes) {
        await gate;
        await memory.write(writes);
      },
    };
    const sessionId = await start({ store });
    await begin(sessionId);
    for (let round = 0; round < 20; round += 1) {
      const slow = Promise.withResolvers<void>();
      gate = slow.promise;
      server.provider.end(sessionId, { type: 'turn_error', errorCode: 'MODEL_ERROR', errorMessage: String(round) });
      await new Promise(setImmediate);
      const patched = server.call('PATCH', `/api/session/${sessionId}`, { title: `Title ${round}` });
      slow.resolve();
      await patched;
      expect(store.session(sessionId)?.title).toBe(`Title ${round}`);
      await server.served.writer.flush();
      expect(store.session(sessionId)).toMatchObject({
        title: `Title ${round}`,
        lastError: { message: String(round) },
      });
      await begin(sessionId);
    }
  });

  it('marks a message as certainly unsent until its agent is ready', async () => {
    const gate = Promise.withResolvers<{ sessionId: string; cliType: string }>();
    let isAlive = true;
    const overrides = { isAlive: () => isAlive, loadSession: () => gate.promise };
    const provider = createScriptedProvider('scripted', overrides);
    const sessionId = await start({ provider });
    isAlive = false;
    const turnId = await send(sessionId, 'go');
    expect(server.store.turn(sessionId, turnId)).toMatchObject({ state: 'sending', awaitsAgent: true });
    isAlive = true;
    gate.resolve({ sessionId, cliType: 'scripted' });
    await vi.waitFor(() => expect(provider.sent).toHaveLength(1));
    expect(server.store.turn(sessionId, turnId)).toMatchObject({ state: 'sending', awaitsAgent: false });
  });

  it('keeps a message for the next start when the server stops while its agent starts', async () => {
    const gate = Promise.withResolvers<never>();
    let isAlive = true;
    const provider = createScriptedProvider('scripted', {
      isAlive: () => isAlive,
      loadSession: () => gate.promise,
      async close() {
        gate.reject(new ProviderError('SESSION_DEAD', 'This session was ended while it was opening.'));
        await new Promise(setImmediate);
      },
    });
    const sessionId = await start({ provider });
    isAlive = false;
    const turnId = await send(sessionId, 'go');
    const { store, folder } = server;
    await server.close();
    server = await startTestServer({ store, folder });
    const read = async (path: string) => (await server.call('GET', `/api/session/${sessionId}/${path}`)).body;
    expect(await read('status')).toMatchObject({ state: 'open' });
    expect(await read('queue')).toMatchObject({ queue: [{ turnId, content: 'go', state: 'held' }] });
  });

  it('stores with an item the number it was published under', async () => {
    const sessionId = await start();
    const published: { seq: number; itemId: string }[] = [];
    server.served.bus.follow(sessionId, undefined, {
      caughtUp: () => {},
      renewed: () => {},
      changed(changes) {
        for (const { seq, body } of changes)
          if (body.type === 'session:upsert') published.push({ seq, itemId: body.payload.itemId });
      },
    });
    const turnId = await begin(sessionId);
    const itemId = `${turnId}:1:0`;
    server.provider.say(sessionId, itemId, 'half');
    server.provider.say(sessionId, itemId, 'half and whole', 'complete');
    await server.served.writer.flush();
    const last = published.findLast((change) => change.itemId === itemId);
    expect(last?.seq).toBeGreaterThan(0);
    expect(server.store.item(sessionId, itemId)?.change?.seq).toBe(last?.seq);
  });

  it('shows a steered message as not sent when the agent did not accept it', async () => {
    const capabilities = { ...createScriptedProvider().capabilities, steer: true };
    const steer = async () => {
      throw new ProviderError('PROCESS_CRASH', 'It was just exiting.');
    };
    const sessionId = await start({ provider: createScriptedProvider('scripted', { capabilities, steer }) });
    const turnId = await begin(sessionId);
    const reply = await server.call('POST', `/api/session/${sessionId}/send`, { content: 'also this', mode: 'steer' });
    expect([reply.status, reply.body.error.code]).toEqual([502, 'PROCESS_CRASH']);
    expect((await history(sessionId)).entries).toMatchObject([
      { itemId: `${turnId}:0:0`, status: 'complete' },
      { itemId: `${turnId}:0:1`, status: 'error', content: 'also this', errorMessage: 'It was just exiting.' },
    ]);
  });

  it('resends a failed steered message under the same client message id', async () => {
    const capabilities = { ...createScriptedProvider().capabilities, steer: true };
    const failing = Promise.withResolvers<void>();
    const steer = vi.fn(() => failing.promise);
    const sessionId = await start({ provider: createScriptedProvider('scripted', { capabilities, steer }) });
    const turnId = await begin(sessionId);
    const body = { content: 'also this', mode: 'steer', clientMessageId: 'mine' };
    const again = () => server.call('POST', `/api/session/${sessionId}/send`, body);
    const first = again();
    await vi.waitFor(() => expect(steer).toHaveBeenCalledOnce());
    const opened = server.served.roster.get(sessionId);
    if (!opened.ok) throw new Error('not open');
    const message = { turnId: 't', content: 'also this', images: [], createdAt: '', state: 'waiting' } as const;
    const meanwhile = opened.value.shell.send(message, 'mine', 'steer');
    failing.reject(new ProviderError('PROCESS_CRASH', 'It was just exiting.'));
    // A caller that asks before the outcome is known must not get a success.
    expect(await meanwhile).toMatchObject({ ok: false, failure: { code: 'PROCESS_CRASH' } });
    expect((await first).status).toBe(502);
    expect(steer).toHaveBeenCalledTimes(1);
    steer.mockResolvedValue();
    expect(await again()).toMatchObject({ status: 202, body: { turnId } });
    expect(steer).toHaveBeenCalledTimes(2);
    expect(await again()).toMatchObject({ status: 202, body: { turnId } });
    expect(steer).toHaveBeenCalledTimes(2);
  });

  it('queues a steered message whose turn had just ended, and knows it by its new turn', async () => {
    const capabilities = { ...createScriptedProvider().capabilities, steer: true };
    const steer = async () => {
      throw new ProviderError('TURN_NOT_FOUND', 'The turn has ended.');
    };
    const provider = createScriptedProvider('scripted', { capabilities, steer });
    const sessionId = await start({ provider });
    const turnId = await begin(sessionId);
    const body = { content: 'also this', mode: 'steer', clientMessageId: 'mine' };
    const reply = await server.call('POST', `/api/session/${sessionId}/send`, body);
    expect(reply.status).toBe(202);
    expect(reply.body.turnId).not.toBe(turnId);
    const { entries } = await history(sessionId);
    expect(entries).toMatchObject([{ itemId: `${turnId}:0:0` }, { status: 'error', errorCode: 'SUPERSEDED' }]);
    expect((await server.call('GET', `/api/session/${sessionId}/queue`)).body.queue).toMatchObject([
      { turnId: reply.body.turnId, content: 'also this' },
    ]);

    provider.end(sessionId);
    await vi.waitFor(() => expect(provider.sent).toMatchObject([{}, { message: 'also this' }]));
    const again = await server.call('POST', `/api/session/${sessionId}/send`, body);
    expect(again.body).toEqual(reply.body);
    expect(provider.sent).toHaveLength(2);
  });

  it("publishes an agent's running numbers once a second, and the last of them at the end of the turn", async () => {
    let report: (info: SessionInfo) => void = () => {};
    const onSessionInfo = (_sessionId: string, listener: typeof report) => {
      report = listener;
      return () => {};
    };
    const sessionId = await start({ provider: createScriptedProvider('scripted', { onSessionInfo }) });
    await begin(sessionId);
    const add = vi.spyOn(server.served.writer, 'add');
    const written = () =>
      add.mock.calls.flatMap(([write]) =>
        write.type === 'put-session' ? [write.row.info.turnUsage?.outputTokens] : [],
      );
    const models = [{ id: 'm', name: 'M' }];
    for (let step = 1; step <= 100; step += 1) report({ models, turnUsage: { inputTokens: 1, outputTokens: step } });
    expect(written()).toEqual([1]);
    server.provider.end(sessionId);
    expect(written()).toContain(100);
    const { body } = await server.call<{ info: SessionInfo }>('GET', `/api/session/${sessionId}/capabilities`);
    expect(body.info.turnUsage?.outputTokens).toBe(100);
  });
});
