import type { Project, QueuedMessage, SendReply, SessionStatus } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScriptedProvider, type ScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let provider: ScriptedProvider;
let project: Project;
let sessionId: string;

/** Agents that follow a folder's own configuration start only in a trusted folder. */
async function start(untrustedFolders: boolean): Promise<void> {
  const capabilities = { ...createScriptedProvider().capabilities, untrustedFolders };
  provider = createScriptedProvider('scripted', { capabilities });
  server = await startTestServer({ provider });
  project = (await server.call<Project>('POST', '/api/projects', { dir: server.folder })).body;
  await trust(true);
  sessionId = await server.newSession();
}
afterEach(() => server.close());

const trust = (trusted: boolean) => server.call('POST', `/api/projects/${project.projectId}/trust`, { trusted });
const post = (what: string, body?: object) => server.call('POST', `/api/session/${sessionId}/${what}`, body);
const status = async () => (await server.call<SessionStatus>('GET', `/api/session/${sessionId}/status`)).body;
const queued = async () =>
  (await server.call<{ queue: QueuedMessage[] }>('GET', `/api/session/${sessionId}/queue`)).body.queue;
async function begin(content: string): Promise<string> {
  const before = provider.sent.length;
  const { turnId } = (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content })).body;
  await vi.waitFor(() => expect(provider.sent).toHaveLength(before + 1));
  provider.start(sessionId, turnId);
  return turnId;
}
const refusal = { status: 409, body: { error: { code: 'PROJECT_NOT_TRUSTED' } } };

describe('an agent that follows the folder’s own configuration', () => {
  beforeEach(() => start(false));

  it('does not restart for a message or on opening once trust is withdrawn, and does once it is given', async () => {
    await trust(false);
    expect(provider.isAlive(sessionId)).toBe(false);
    expect(await post('send', { content: 'go' })).toMatchObject(refusal);
    expect(await post('load')).toMatchObject(refusal);
    expect([provider.loaded, provider.sent, await queued()]).toEqual([[], [], []]);
    expect((await status()).state).toBe('open');
    await trust(true);
    await begin('go');
    expect(provider.loaded).toMatchObject([{ options: { providerOptions: { trusted: true } } }]);
  });

  it('finishes the turn in which trust was withdrawn, then ends; waiting messages are sent once trust is given', async () => {
    await begin('first');
    await post('send', { content: 'second' });
    await trust(false);
    expect(await status()).toMatchObject({ activity: 'working', isAlive: true });
    provider.end(sessionId);
    await vi.waitFor(async () => expect(await status()).toMatchObject({ activity: 'asleep', isAlive: false }));
    expect([provider.loaded, provider.sent.length]).toEqual([[], 1]);
    expect(await queued()).toMatchObject([{ content: 'second' }]);
    await trust(true);
    await vi.waitFor(() => expect(provider.sent).toMatchObject([{ message: 'first' }, { message: 'second' }]));
    expect(provider.loaded).toHaveLength(1);
  });

  it('is ended when its project is removed, and with it the trust', async () => {
    await server.call('DELETE', `/api/projects/${project.projectId}`);
    expect(provider.isAlive(sessionId)).toBe(false);
    expect((await post('send', { content: 'go' })).status).toBe(404);
    const again = (await server.call<Project>('POST', '/api/projects', { dir: server.folder })).body;
    expect(again).toMatchObject({ projectId: project.projectId, trusted: false });
    expect(await post('send', { content: 'go' })).toMatchObject(refusal);
    expect(provider.loaded).toEqual([]);
  });

  it('is ended if trust was withdrawn while it was being opened', async () => {
    await post('kill');
    const gate = Promise.withResolvers<void>();
    const load = provider.loadSession.bind(provider);
    const loading = vi.spyOn(provider, 'loadSession').mockImplementation(async (...args) => {
      await gate.promise;
      return load(...args);
    });
    const opened = post('load');
    await vi.waitFor(() => expect(loading).toHaveBeenCalledOnce());
    await trust(false);
    gate.resolve();
    await opened;
    expect(provider.isAlive(sessionId)).toBe(false);
  });

  it('is ended if trust was withdrawn while it was being created', async () => {
    const gate = Promise.withResolvers<void>();
    const create = provider.createSession.bind(provider);
    const creating = vi.spyOn(provider, 'createSession').mockImplementation(async (...args) => {
      await gate.promise;
      return create(...args);
    });
    const made = server.newSession();
    await vi.waitFor(() => expect(creating).toHaveBeenCalledOnce());
    await trust(false);
    gate.resolve();
    expect(provider.isAlive(await made)).toBe(false);
  });
});

describe('an agent that can ignore the folder’s own configuration', () => {
  beforeEach(() => start(true));

  it('continues under the new rules with the next turn when trust changes during one', async () => {
    await begin('first');
    await post('send', { content: 'second' });
    await trust(false);
    expect(provider.loaded).toEqual([]);
    provider.end(sessionId);
    await vi.waitFor(() => expect(provider.sent).toHaveLength(2));
    expect(provider.loaded).toMatchObject([{ options: { providerOptions: { trusted: false } } }]);
  });
});
