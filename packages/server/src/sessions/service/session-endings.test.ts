import type { SendReply, SessionStatus, SessionSummary } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScriptedProvider, type ScriptedProvider } from '../../providers/testing/scripted-provider.ts';
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
const listed = async (): Promise<SessionSummary[]> => {
  const [project] = (await server.call<{ projects: { projectId: string }[] }>('GET', '/api/projects')).body.projects;
  const path = `/api/session/list?projectId=${project?.projectId}`;
  return (await server.call<{ sessions: SessionSummary[] }>('GET', path)).body.sessions;
};
const send = async (content: string) =>
  (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content })).body.turnId;

type Method = 'loadSession' | 'killSession';
/**
 * Delays the end of a method until the gate opens: a starting process isn't there before that, an ending one is gone
 * immediately.
 */
function holdBack(method: Method) {
  const gate = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  const original = provider[method] as (...args: unknown[]) => Promise<never>;
  const held = async (...args: unknown[]): Promise<never> => {
    const ended = method === 'killSession' ? original(...args) : undefined;
    called.resolve();
    await gate.promise;
    return ended ?? original(...args);
  };
  Object.assign(provider, { [method]: held });
  return { open: gate.resolve, called: called.promise };
}

/** Ends the process, so the next message has to start one. */
const putToSleep = () => provider.killSession(sessionId);

describe('a session ended while its agent wakes', () => {
  it.each(['kill', 'delete'])('by %s: the message is not sent, and no process is left', async (how) => {
    await putToSleep();
    const loading = holdBack('loadSession');
    await send('go');
    await loading.called;
    const ended = how === 'kill' ? post('kill') : server.call('DELETE', `/api/session/${sessionId}`);
    expect((await ended).status).toBe(how === 'kill' ? 200 : 204);
    loading.open();
    await vi.waitFor(() => expect(provider.loaded).toHaveLength(1));
    await vi.waitFor(() => expect(provider.isAlive(sessionId)).toBe(false));
    expect(provider.sent).toEqual([]);
  });

  it('stays ended if it was being opened', async () => {
    await post('kill');
    const loading = holdBack('loadSession');
    const opened = post('load');
    await loading.called;
    await post('kill');
    loading.open();
    expect(await opened).toMatchObject({ status: 409, body: { error: { code: 'SESSION_DEAD' } } });
    expect(await status()).toMatchObject({ state: 'dead', isAlive: false });
  });
});

describe('a session whose old process is still ending', () => {
  it('can be opened and sent to: the new agent’s turn arrives completely', async () => {
    const killing = holdBack('killSession');
    const killed = post('kill');
    await killing.called;
    const opened = post('load');
    const sent = opened.then(() => send('go'));
    // Gives anything that doesn't wait for the old process a chance to run.
    for (let chance = 0; chance < 100; chance += 1) await new Promise(setImmediate);
    killing.open();
    await killed;
    expect((await opened).status).toBe(200);
    const turnId = await sent;
    await vi.waitFor(() => expect(provider.sent).toHaveLength(1));
    provider.start(sessionId, turnId);
    provider.end(sessionId);
    expect(await status()).toMatchObject({ state: 'open', activity: 'idle', isAlive: true });
  });

  it('is gone from every list and from disk once deleted', async () => {
    const turnId = await send('go');
    await vi.waitFor(() => expect(provider.sent).toHaveLength(1));
    provider.start(sessionId, turnId);
    const killing = holdBack('killSession');
    const killed = post('kill');
    await killing.called;
    const deleted = server.call('DELETE', `/api/session/${sessionId}`);
    await vi.waitFor(() => expect(server.store.session(sessionId)).toBeUndefined());
    provider.say(sessionId, `${turnId}:1:0`, 'last words', 'complete');
    killing.open();
    expect([(await killed).status, (await deleted).status]).toEqual([200, 204]);
    expect(await listed()).toEqual([]);
    await server.served.writer.flush();
    expect(server.store.session(sessionId)).toBeUndefined();
    expect(server.store.turnsBefore(sessionId, null, 10)).toEqual([]);
    expect(server.store.itemsOfTurn(sessionId, turnId)).toEqual([]);
  });
});
