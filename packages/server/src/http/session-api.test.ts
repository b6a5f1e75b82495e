import type { SessionQueue } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { ProviderError } from '../providers/provider-error.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

type Entries = { entries: { itemId: string; turnId: string; content: string }[] };
const projectId = async () =>
  (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder })).body.projectId;
const items = async (id: string) => (await server.call<Entries>('GET', `/api/session/${id}/history`)).body.entries;

describe('creating and finding sessions', () => {
  it('TC-6.1a: create answers 201 with id and type, and makes an unknown folder a project', async () => {
    const { status, body } = await server.call('POST', '/api/session/create', {
      cliType: 'scripted',
      projectDir: server.folder,
    });
    expect(status).toBe(201);
    const place = { kind: 'folder', folder: server.folder, branch: null };
    expect(body).toEqual({ sessionId: 'scripted-1', cliType: 'scripted', projectId: await projectId(), place });
    expect(server.provider.created[0]).toMatchObject({
      projectDir: server.folder,
      providerOptions: { trusted: false },
    });
  });

  it('TC-6.1b: rejects an unknown type and names the known ones', async () => {
    const { status, body } = await server.call('POST', '/api/session/create', {
      cliType: 'nope',
      projectDir: server.folder,
    });
    expect([status, body.error.code]).toEqual([400, 'UNSUPPORTED_CLI_TYPE']);
    expect(body.error.message).toContain('scripted');
  });

  it('prepare starts the agent for create, and rejects what create rejects', async () => {
    const place = { cliType: 'scripted', projectId: await projectId() };
    const prepared = await server.call('POST', '/api/session/prepare', place);
    expect([prepared.status, prepared.body]).toEqual([200, { info: {} }]);
    expect((await server.call('GET', `/api/session/list?projectId=${place.projectId}`)).body.sessions).toEqual([]);
    const { body } = await server.call('POST', '/api/session/create', place);
    expect([body['sessionId'], server.provider.created.length]).toEqual(['scripted-1', 1]);
    const wrong = await Promise.all(
      [{ cliType: 'nope' }, { projectId: 'nowhere' }].map((part) =>
        server.call('POST', '/api/session/prepare', { ...place, ...part }),
      ),
    );
    expect(wrong.map((reply) => reply.body.error.code)).toEqual(['UNSUPPORTED_CLI_TYPE', 'PROJECT_NOT_FOUND']);
  });

  it('create with the same clientSessionId returns the same session and starts nothing', async () => {
    const body = { cliType: 'scripted', projectId: await projectId(), clientSessionId: 'mine' };
    const [first, second] = await Promise.all([1, 2].map(() => server.call('POST', '/api/session/create', body)));
    expect([first?.status, second?.status, second?.body]).toEqual([201, 201, first?.body]);
    expect(server.provider.created).toHaveLength(1);
  });

  it('TC-6.1c: list by project returns id, type, project and status', async () => {
    const id = await server.newSession();
    const project = await projectId();
    const { body } = await server.call('GET', `/api/session/list?projectId=${project}`);
    expect(body.sessions).toMatchObject([
      {
        sessionId: id,
        cliType: 'scripted',
        projectId: project,
        status: 'open',
        activity: 'idle',
        isAlive: true,
        archived: false,
      },
    ]);
  });

  it('TC-6.1d: without projectId the answer is PROJECT_ID_REQUIRED', async () => {
    const { status, body } = await server.call('GET', '/api/session/list');
    expect([status, body.error.code]).toEqual([400, 'PROJECT_ID_REQUIRED']);
  });

  it('TC-6.1e: load reaches the provider; loading an open session starts nothing and returns it', async () => {
    const id = await server.newSession();
    expect((await server.call('POST', `/api/session/${id}/load`)).body).toEqual({ sessionId: id, cliType: 'scripted' });
    expect(server.provider.loaded).toEqual([]);
    await server.call('POST', `/api/session/${id}/kill`);
    expect((await server.call('POST', `/api/session/${id}/load`, {})).status).toBe(200);
    expect(server.provider.loaded).toHaveLength(1);
    expect((await server.call('GET', `/api/session/${id}/status`)).body).toMatchObject({
      state: 'open',
      isAlive: true,
    });
  });

  it('load fails if the agent cannot reopen the session, which stays ended', async () => {
    const id = await server.newSession();
    await server.call('POST', `/api/session/${id}/kill`);
    const { provider } = server;
    Object.assign(provider, {
      capabilities: { ...provider.capabilities, load: false },
      loadSession: async () => {
        throw new ProviderError('NOT_SUPPORTED', 'Scripted cannot open an earlier session again.');
      },
    });
    const { status, body } = await server.call('POST', `/api/session/${id}/load`, {});
    expect([status, body.error.code]).toEqual([409, 'NOT_SUPPORTED']);
    expect((await server.call('GET', `/api/session/${id}/status`)).body).toMatchObject({ state: 'dead' });
  });

  it('TC-6.1f: load of an unknown session is 404', async () => {
    const { status, body } = await server.call('POST', '/api/session/none/load', {});
    expect([status, body.error.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  it('discovers sessions created by a CLI and opens one with its history', async () => {
    const project = await projectId();
    const { body } = await server.call('GET', `/api/session/discover?projectId=${project}`);
    expect(body.sessions).toMatchObject([{ sessionId: 'found-1', title: 'Made in a terminal' }]);
    const when = '2025-01-01T00:00:00.000Z';
    const base = {
      turnId: 'r1',
      sessionId: 'found-1',
      sourceTimestamp: when,
      emittedAt: when,
      status: 'complete',
    } as const;
    server.provider.history = {
      turns: [{ turnId: 'r1', state: 'completed' }],
      entries: [
        { upsert: { ...base, type: 'message', itemId: 'r1:0:0', origin: 'user', content: 'hi' }, sourceId: 'u1' },
        { upsert: { ...base, type: 'message', itemId: 'r1:1:0', origin: 'agent', content: 'hello' }, sourceId: 'a1' },
      ],
    };
    const load = () => server.call('POST', '/api/session/found-1/load', { cliType: 'scripted', projectId: project });
    expect((await load()).status).toBe(200);
    expect((await items('found-1')).map((item) => item.content)).toEqual(['hi', 'hello']);
    await server.call('POST', '/api/session/found-1/kill');
    await load();
    expect(await items('found-1')).toHaveLength(2);
    expect((await server.call('GET', `/api/session/discover?projectId=${project}`)).body.sessions).toEqual([]);
  });
});

describe('a turn', () => {
  it('TC-6.2a: send reaches the right provider and answers 202 with the turn id', async () => {
    const id = await server.newSession();
    const { status, body } = await server.call('POST', `/api/session/${id}/send`, { content: 'hello' });
    expect(status).toBe(202);
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    expect(server.provider.sent[0]).toMatchObject({
      sessionId: id,
      message: 'hello',
      options: { turnId: body.turnId },
    });
  });

  it('TC-6.2b: send to an unknown session is 404', async () => {
    const { status, body } = await server.call('POST', '/api/session/none/send', { content: 'hello' });
    expect([status, body.error.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  it('TC-6.2c: cancel reaches the right provider, and has no effect when nothing runs', async () => {
    const id = await server.newSession();
    expect((await server.call('POST', `/api/session/${id}/cancel`)).status).toBe(200);
    expect(server.provider.cancelled).toBe(0);
    await server.call('POST', `/api/session/${id}/send`, { content: 'hello' });
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(id);
    expect((await server.call('POST', `/api/session/${id}/cancel`)).status).toBe(200);
    expect(server.provider.cancelled).toBe(1);
    const { body } = await server.call('GET', `/api/session/${id}/history`);
    expect(body.turns).toMatchObject([{ state: 'cancelled', ended: { type: 'turn_complete', status: 'cancelled' } }]);
  });

  it('TC-6.2d: the returned turn id is on every upsert and event of the turn', async () => {
    const id = await server.newSession();
    const { turnId } = (await server.call<{ turnId: string }>('POST', `/api/session/${id}/send`, { content: 'hello' }))
      .body;
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(id);
    server.provider.say(id, `${turnId}:1:0`, 'hi', 'complete');
    server.provider.end(id);
    const entries = await items(id);
    expect(entries.map((entry) => entry.turnId)).toEqual([turnId, turnId]);
    expect(entries.map((entry) => entry.itemId)).toEqual([`${turnId}:0:0`, `${turnId}:1:0`]);
    const { body } = await server.call('GET', `/api/session/${id}/history`);
    expect(body.turns).toMatchObject([{ turnId, state: 'completed', started: { turnId }, ended: { turnId } }]);
  });

  it('is the same for a repeated client message id, even at the same moment', async () => {
    const id = await server.newSession();
    const again = { content: 'once', clientMessageId: 'c1' };
    const replies = await Promise.all([1, 2, 3].map(() => server.call('POST', `/api/session/${id}/send`, again)));
    expect(new Set(replies.map((reply) => reply.body.turnId)).size).toBe(1);
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
  });

  it('fails with the provider’s message when it can’t be sent, and the session continues', async () => {
    const id = await server.newSession();
    server.provider.refuseSend = new ProviderError('AGENT_AUTH_REQUIRED', 'Log in first.');
    await server.call('POST', `/api/session/${id}/send`, { content: 'hello' });
    await vi.waitFor(async () => {
      const { body } = await server.call('GET', `/api/session/${id}/history`);
      expect(body.turns).toMatchObject([
        { state: 'failed', ended: { errorCode: 'AGENT_AUTH_REQUIRED', errorMessage: 'Log in first.' } },
      ]);
    });
    server.provider.refuseSend = null;
    await server.call('POST', `/api/session/${id}/send`, { content: 'again' });
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
  });

  it('resumes by itself on the next send after the agent died', async () => {
    const id = await server.newSession();
    await server.call('POST', `/api/session/${id}/send`, { content: 'one' });
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(id);
    server.provider.die(id);
    expect((await server.call('GET', `/api/session/${id}/status`)).body).toMatchObject({
      state: 'open',
      activity: 'asleep',
      isAlive: false,
      lastError: { code: 'PROCESS_CRASH' },
    });
    await server.call('POST', `/api/session/${id}/send`, { content: 'two' });
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(2));
    expect(server.provider.loaded).toHaveLength(1);
  });
});

describe('ending', () => {
  it('TC-6.3a: kill ends the process and takes the session off the active list', async () => {
    const id = await server.newSession();
    const project = await projectId();
    expect((await server.call('POST', `/api/session/${id}/kill`)).status).toBe(200);
    expect(server.provider.isAlive(id)).toBe(false);
    const active = await server.call('GET', `/api/session/list?projectId=${project}&scope=active`);
    expect(active.body.sessions).toEqual([]);
    expect((await server.call('GET', `/api/session/list?projectId=${project}`)).body.sessions).toHaveLength(1);
    const sent = await server.call('POST', `/api/session/${id}/send`, { content: 'x' });
    expect([sent.status, sent.body.error.code]).toEqual([409, 'SESSION_DEAD']);
  });

  it('TC-6.3b: status reports whether the process is alive and the session’s state', async () => {
    const id = await server.newSession();
    const status = async () => (await server.call('GET', `/api/session/${id}/status`)).body;
    expect(await status()).toEqual({
      sessionId: id,
      cliType: 'scripted',
      state: 'open',
      activity: 'idle',
      isAlive: true,
      attention: 'idle',
      place: { kind: 'folder', folder: server.folder, branch: null },
    });
    await server.call('POST', `/api/session/${id}/kill`);
    expect(await status()).toMatchObject({ state: 'dead', isAlive: false });
    expect((await server.call('GET', '/api/session/none/status')).status).toBe(404);
  });

  it('removes a session with its history', async () => {
    const id = await server.newSession();
    expect((await server.call('DELETE', `/api/session/${id}`)).status).toBe(204);
    expect((await server.call('GET', `/api/session/${id}/status`)).status).toBe(404);
  });
});

describe('the queue', () => {
  it('is visible, can be edited and reduced, and is sent in order', async () => {
    const id = await server.newSession();
    const send = async (content: string) =>
      (await server.call<{ turnId: string }>('POST', `/api/session/${id}/send`, { content })).body.turnId;
    await send('one');
    const [two, three, four] = [await send('two'), await send('three'), await send('four')];
    const edited = await server.call<SessionQueue>('PATCH', `/api/session/${id}/queue/${two}`, {
      content: 'two, better',
    });
    expect(edited.body.queue.map((queued) => queued.content)).toEqual(['two, better', 'three', 'four']);
    expect((await server.call('DELETE', `/api/session/${id}/queue/${three}`)).status).toBe(204);
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(id);
    server.provider.end(id);
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(2));
    expect(server.provider.sent[1]?.message).toBe('two, better');
    const late = await server.call('PATCH', `/api/session/${id}/queue/${two}`, { content: 'too late' });
    expect([late.status, late.body.error.code]).toEqual([409, 'TURN_STARTED']);
    expect((await server.call('DELETE', `/api/session/${id}/queue/none`)).status).toBe(404);
    expect((await server.call('GET', `/api/session/${id}/queue`)).body.queue).toMatchObject([{ turnId: four }]);
  });
});
