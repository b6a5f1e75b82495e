import type { EventsReply } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryDirectory } from '../bus/directory.ts';
import { startTestServer } from '../testing/test-server.ts';
import { createEventFeed, type EventBatch } from './event-feed.ts';

const at = '2026-01-01T00:00:00.000Z';
const summary = (sessionId: string, turn?: string) => ({
  sessionId,
  cliType: 'demo',
  projectId: 'p',
  title: '',
  createdAt: at,
  updatedAt: at,
  status: 'open' as const,
  activity: 'idle' as const,
  isAlive: true,
  archived: false,
  ...(turn !== undefined && { ended: { id: turn, at } }),
});

function setup(size?: number) {
  const directory = createMemoryDirectory();
  directory.put(summary('old', 'before'));
  const feed = createEventFeed({ directory, now: () => at, epoch: 'e', ...(size !== undefined && { size }) });
  const never = new AbortController().signal;
  return { directory, feed, read: (after?: string, waitMs = 0, signal = never) => feed.read(after, waitMs, signal) };
}

describe('the event feed', () => {
  it('gives each event once to a program that continues from its cursor', async () => {
    const { directory, read } = setup();
    const first = await read();
    expect(first).toEqual({ events: [], next: 'e.0' });
    directory.put(summary('s'));
    directory.put(summary('s', 't1'));
    const second = await read(first.next);
    expect(second.events.map(({ id, kind }) => [id, kind])).toEqual([
      ['e.1', 'session-created'],
      ['e.2', 'turn-ended'],
    ]);
    directory.remove('old');
    expect((await read(second.next)).events).toMatchObject([{ id: 'e.3', kind: 'session-removed', sessionId: 'old' }]);
    expect((await read('e.1')).events).toHaveLength(2);
  });

  it('reports changes since the sessions were last seen, including before a restart', async () => {
    const directory = createMemoryDirectory();
    directory.put(summary('crashed', 't2'));
    directory.put(summary('made'));
    directory.put({ ...summary('older'), createdAt: '2025-01-01T00:00:00.000Z' });
    const batches: EventBatch[] = [];
    const seen = [summary('crashed', 't1'), summary('gone')];
    const deps = { directory, now: () => at, epoch: 'e', seen, reportedSince: at };
    const feed = createEventFeed({ ...deps, onEvents: (batch) => batches.push(batch) });
    directory.put(summary('made', 't1'));
    expect(
      batches.map(({ events, seen: now, removed }) => [
        events.map(({ kind, sessionId }) => `${kind} ${sessionId}`),
        now.map(({ sessionId }) => sessionId),
        removed,
      ]),
    ).toEqual([
      [['turn-ended crashed', 'session-created made', 'session-removed gone'], ['crashed', 'made'], ['gone']],
      [['turn-ended made'], ['made'], []],
    ]);
    feed.close();
  });

  it('reports a new session after the clock was moved back, but no old one of a cluster', async () => {
    const directory = createMemoryDirectory();
    const feed = createEventFeed({ directory, now: () => '2026-01-01T05:00:00.000Z', epoch: 'e' });
    directory.put({ ...summary('elsewhere'), node: { nodeId: 'n', name: 'other', presence: 'there' } });
    directory.put(summary('new'));
    const { events } = await feed.read(undefined, 0, new AbortController().signal);
    expect(events).toMatchObject([{ kind: 'session-created', sessionId: 'new' }]);
    feed.close();
  });

  it('waits for the first event, and no longer than the program is connected', async () => {
    const { directory, feed, read } = setup();
    const waiting = read('e.0', 60_000);
    directory.put(summary('s'));
    expect((await waiting).events).toHaveLength(1);
    const gone = new AbortController();
    const abandoned = read('e.1', 60_000, gone.signal);
    gone.abort();
    expect(await abandoned).toEqual({ events: [], next: 'e.1' });
    const open = read('e.1', 60_000);
    feed.close();
    expect((await open).events).toEqual([]);
  });

  it('reports when events are gone, or the server was restarted', async () => {
    const { directory, read } = setup(2);
    for (const id of ['a', 'b', 'c']) directory.put(summary(id));
    expect(await read('e.0')).toMatchObject({ missed: true, events: [{ sessionId: 'b' }, { sessionId: 'c' }] });
    expect(await read('e.1')).not.toHaveProperty('missed');
    for (const odd of ['other.1', 'e.99', 'e.x', 'e.-1', 'nonsense'])
      expect(await read(odd, 60_000)).toMatchObject({ missed: true, next: 'e.3' });
  });

  it('is served to programs, with the events of real sessions', async () => {
    const server = await startTestServer();
    const read = async (query: string) => (await server.call<EventsReply>('GET', `/api/events${query}`)).body;
    const { next } = await read('?after=&wait=');
    const waiting = read(`?after=${next}&wait=60`);
    const sessionId = await server.newSession();
    expect((await waiting).events).toMatchObject([{ kind: 'session-created', sessionId }]);
    await server.call('POST', `/api/session/${sessionId}/send`, { content: 'a secret question' });
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(sessionId);
    server.provider.end(sessionId);
    await vi.waitFor(async () =>
      expect((await read(`?after=${next}`)).events.map(({ kind }) => kind)).toEqual(['session-created', 'turn-ended']),
    );
    expect((await server.call('GET', '/api/events?wait=61')).status).toBe(400);
    await server.close();
  });
});
