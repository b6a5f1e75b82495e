import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let store: Store;
let server: TestServer;
beforeEach(async () => {
  store = createMemoryStore();
  server = await startTestServer({ store });
});
afterEach(() => server.close());

const begin = (part: object = {}, at = server) =>
  at.call('POST', '/api/session/create', {
    cliType: 'scripted',
    projectDir: server.folder,
    clientSessionId: 'mine',
    message: { content: 'Begin', clientMessageId: 'first' },
    ...part,
  });
const listed = async () =>
  (await server.call<{ sessions: unknown[] }>('GET', '/api/session/list?scope=all&projectId=' + (await projectId())))
    .body.sessions;
const projectId = async () =>
  (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder })).body.projectId;

describe('a session created with its first message', () => {
  it('is on disk together with the message before the agent gets it', async () => {
    const order: string[] = [];
    const write = vi.spyOn(store, 'write');
    const send = vi.spyOn(server.provider, 'sendMessage').mockImplementation(async (_id, content, options) => {
      order.push(content);
      return { turnId: options?.turnId ?? '' };
    });
    const original = write.getMockImplementation() ?? createMemoryStore().write;
    write.mockImplementation(async (writes) => {
      order.push(writes.map(({ type }) => type).join(' '));
      return original(writes);
    });
    const { status, body } = await begin();
    expect([status, body['sessionId'], typeof body['turnId']]).toEqual([201, 'scripted-1', 'string']);
    await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
    const [first, ...later] = order.filter((what) => what !== 'put-project');
    expect(first?.split(' ')).toEqual(expect.arrayContaining(['put-turn', 'put-client-message', 'put-session']));
    expect(later[0]).toBe('Begin');
    expect(server.provider.created).toHaveLength(1);
  });

  it('is the same session and turn when requested again, even after a restart', async () => {
    const first = await begin();
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    expect((await begin()).body).toEqual(first.body);
    const provider = createScriptedProvider();
    const restarted = await startTestServer({ store, provider, folder: server.folder });
    const again = await begin({}, restarted);
    expect(again.body).toMatchObject({ sessionId: first.body['sessionId'], turnId: first.body['turnId'] });
    expect([provider.created, provider.sent]).toEqual([[], []]);
    // Message ids are unique within one session: another request may use the same one.
    const other = await begin({ clientSessionId: 'other' }, restarted);
    expect(other.body['sessionId']).not.toBe(again.body['turnId']);
    expect(provider.created).toHaveLength(1);
    await restarted.close();
  });

  it('gets another message that was sent to create it, once', async () => {
    const second = { message: { content: 'And then', clientMessageId: 'second' } };
    const [first, other] = await Promise.all([begin(), begin(second)]);
    const again = await begin(second);
    expect(other.body['sessionId']).toBe(first.body['sessionId']);
    expect(other.body['turnId']).not.toBe(first.body['turnId']);
    expect(again.body).toEqual(other.body);
    expect((await begin()).body).toEqual(first.body);
    expect(server.provider.created).toHaveLength(1);
    const turns = ['first', 'second'].flatMap((id) => store.turnsOfClientMessage(id).map(({ turnId }) => turnId));
    expect(turns).toEqual([first.body['turnId'], other.body['turnId']]);
  });

  it('keeps the images and mentions of its message for a retry', async () => {
    writeFileSync(join(server.folder, 'notes.txt'), '');
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const images = [{ mimeType: 'image/png', data: png }];
    const { body } = await begin({ message: { content: 'Look', images, mentions: ['notes.txt'] } });
    const path = `/api/session/${String(body['sessionId'])}/turns/${String(body['turnId'])}/message`;
    expect((await server.call('GET', path)).body).toEqual({ content: 'Look', images, mentions: ['notes.txt'] });
  });

  it('is not created when its message is refused', async () => {
    const refused = await begin({ message: { content: 'Look', mentions: ['nowhere.txt'] } });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect((await begin({ message: { content: '' } })).status).toBe(400);
    expect([server.provider.created, await listed()]).toEqual([[], []]);
  });

  it('leaves neither session nor agent when the disk rejects it, and can be requested again', async () => {
    await projectId();
    const killed = vi.spyOn(server.provider, 'killSession');
    vi.spyOn(store, 'write').mockRejectedValueOnce(new Error('disk full'));
    expect((await begin()).status).toBe(500);
    expect(killed).toHaveBeenCalledWith('scripted-1');
    expect([server.provider.sent, await listed()]).toEqual([[], []]);
    expect((await begin()).status).toBe(201);
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
  });

  it('sends the message under the current rules when the folder was trusted while the agent started', async () => {
    const id = await projectId();
    const original = server.provider.createSession.bind(server.provider);
    vi.spyOn(server.provider, 'createSession').mockImplementation(async (options) => {
      const made = await original(options);
      await server.call('POST', `/api/projects/${id}/trust`, { trusted: true });
      return made;
    });
    const load = vi.spyOn(server.provider, 'loadSession');
    await begin();
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    expect(load.mock.calls[0]?.[1]?.providerOptions).toMatchObject({ trusted: true });
  });
});
