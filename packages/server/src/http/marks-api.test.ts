import type { ListedSession, SessionSummary } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const projectId = async () =>
  (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder })).body.projectId;

describe('what a session needs from the user', () => {
  it('IN-1: is in list and status, and marks apply to all clients until changed', async () => {
    const id = await server.newSession();
    const project = await projectId();
    const listed = async () => {
      const { body } = await server.call<{ sessions: ListedSession[] }>(
        'GET',
        `/api/session/list?projectId=${project}`,
      );
      return body.sessions[0];
    };
    const patch = (change: object) => server.call<SessionSummary>('PATCH', `/api/session/${id}`, change);
    expect((await listed())?.attention).toBe('idle');
    await server.call('POST', `/api/session/${id}/send`, { content: 'Hello' });
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(id);
    await vi.waitFor(async () => expect((await listed())?.attention).toBe('working'));
    server.provider.end(id);
    await vi.waitFor(async () => expect((await listed())?.attention).toBe('done'));
    expect((await server.call('GET', `/api/session/${id}/status`)).body).toMatchObject({ attention: 'done' });
    const ended = (await listed())?.ended?.id ?? '';
    expect((await patch({ seen: ended })).body.marks).toEqual({ seen: ended });
    expect((await listed())?.attention).toBe('idle');
    expect((await patch({ unread: true, pinned: true })).body.marks).toEqual({
      seen: ended,
      unread: true,
      pinned: true,
    });
    expect((await listed())?.attention).toBe('done');
    const { body } = await patch({ pinned: false, snoozed: { until: 'change' } });
    expect(body.marks).toMatchObject({ unread: true, snoozed: { until: null } });
    expect((await patch({ seen: ended, snoozed: null })).body.marks).toEqual({ seen: ended });
    expect((await patch({ snoozed: { until: 'tomorrow' } })).status).toBe(400);
  });
});
