import type { SessionSummary } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryDirectory } from '../bus/directory.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { Store } from '../store/store.ts';
import { sessionRow } from '../store/testing/sample-rows.ts';
import { createReportedEvents, type WebhookDeps } from './webhook-service.ts';

const summary = (sessionId: string) => ({
  sessionId,
  cliType: 'demo',
  projectId: 'p',
  title: '',
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  status: 'open' as const,
  activity: 'idle' as const,
  isAlive: true,
  archived: false,
});

/** One webhook whose receiver is looked up as given: every attempt to deliver an event begins with that. */
async function setup(
  lookup: NonNullable<WebhookDeps['lookup']>,
  write?: (memory: Store) => Store['write'],
  {
    backoffMs = () => 3_600_000,
    onError = (error: unknown) => expect.unreachable(String(error)),
  }: Partial<Pick<WebhookDeps, 'backoffMs' | 'onError'>> = {},
) {
  const memory = createMemoryStore();
  const store: Store = { ...memory, ...(write && { write: write(memory) }) };
  const directory = createMemoryDirectory();
  const { webhooks, events } = createReportedEvents({
    store,
    directory,
    version: 'test',
    newId: () => 'w',
    ownPort: () => 1,
    timeoutMs: 1_000,
    backoffMs,
    lookup: (name) => (store.webhooks().length === 0 ? Promise.resolve(['127.0.0.1']) : lookup(name)),
    onError,
  });
  await webhooks.add({ url: 'http://hooks.example/', allowPrivate: true });
  const close = async () => {
    events.close();
    await webhooks.close();
  };
  return { store, directory, webhooks, close };
}

describe('a webhook', () => {
  it('gets no event that occurs while it is being removed, and stays removed', async () => {
    const removal = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string[]>();
    const { store, directory, webhooks, close } = await setup(
      () => answer.promise,
      (memory) => async (writes) => {
        if (writes.some(({ type }) => type === 'remove-webhook')) await removal.promise;
        await memory.write(writes);
      },
    );
    const removed = webhooks.remove('w');
    await new Promise(setImmediate);
    directory.put(summary('s'));
    await new Promise(setImmediate);
    expect(store.deliveries('w')).toEqual([]);
    removal.resolve();
    await removed;
    answer.resolve([]);
    await new Promise(setImmediate);
    expect([store.webhooks(), store.seenSessions()]).toEqual([[], []]);
    await close();
  });

  it('gets events that occurred while the disk was full, in order, once it isn’t', async () => {
    const disk = { isFull: false };
    const onError = vi.fn();
    const { store, directory, close } = await setup(
      async () => [],
      (memory) => async (writes) => {
        if (disk.isFull) throw new Error('The disk is full.');
        await memory.write(writes);
      },
      { backoffMs: () => 3_600_000, onError },
    );
    disk.isFull = true;
    directory.put(summary('first'));
    await vi.waitFor(() => expect(onError).toHaveBeenCalled());
    directory.put(summary('second'));
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(2));
    expect(store.deliveries('w')).toEqual([]);
    disk.isFull = false;
    directory.put(summary('third'));
    await vi.waitFor(() => expect(store.deliveries('w')).toHaveLength(3));
    expect(store.deliveries('w').map(({ event }) => event.sessionId)).toEqual(['first', 'second', 'third']);
    expect(store.seenSessions().map(({ sessionId }) => sessionId)).toEqual(['first', 'second', 'third']);
    await close();
  });

  it('gets them even if nothing else occurs', async () => {
    const disk = { isFull: false };
    const onError = vi.fn(() => void (disk.isFull = false));
    const { store, directory, close } = await setup(
      async () => [],
      (memory) => async (writes) => {
        if (disk.isFull) throw new Error('The disk is full.');
        await memory.write(writes);
      },
      { backoffMs: () => 1, onError },
    );
    disk.isFull = true;
    directory.put(summary('only'));
    await vi.waitFor(() => expect(store.deliveries('w')).toHaveLength(1));
    await close();
  });

  it('stays removed when its row disappears while an event is delivered', async () => {
    const answer = Promise.withResolvers<string[]>();
    const lookup = vi.fn(() => answer.promise);
    const { store, directory, close } = await setup(lookup);
    directory.put(summary('s'));
    await vi.waitFor(() => expect(lookup).toHaveBeenCalled());
    await store.write([{ type: 'remove-webhook', webhookId: 'w' }]);
    answer.resolve([]);
    await new Promise(setImmediate);
    expect([store.webhooks(), store.deliveries('w')]).toEqual([[], []]);
    await close();
  });
});

describe('after a restart of a machine in a cluster', () => {
  const node = { nodeId: 'n', name: 'this one', presence: 'here' as const };
  const ended = { id: 't1', at: new Date().toISOString() };
  /** One run of a server with these sessions at its start. Its receiver is never found. */
  const startWith = (store: Store, sessions: readonly SessionSummary[]) => {
    const directory = createMemoryDirectory();
    for (const session of sessions) directory.put(session);
    const lookup = async () => (store.webhooks().length === 0 ? ['127.0.0.1'] : []);
    const times = { timeoutMs: 1_000, backoffMs: () => 3_600_000 };
    const ids = { version: 'test', newId: () => 'w', ownPort: () => 1 };
    const { webhooks, events } = createReportedEvents({
      ...times,
      ...ids,
      store,
      directory,
      lookup,
      onError: (error) => expect.unreachable(String(error)),
    });
    const close = async () => {
      events.close();
      await webhooks.close();
    };
    return { directory, webhooks, close };
  };
  const reported = (store: Store) => store.deliveries('w').map(({ event }) => `${event.kind} ${event.sessionId}`);

  it('reports each event once, including those around the restart', async () => {
    const store = createMemoryStore();
    const old = { ...summary('old'), node };
    const before = startWith(store, [old]);
    await before.webhooks.add({ url: 'http://hooks.example/', allowPrivate: true });
    before.directory.put({ ...summary('new'), node });
    await before.close();
    expect(reported(store)).toEqual(['session-created new']);
    const after = startWith(store, [
      { ...old, ended },
      { ...summary('new'), node },
    ]);
    await after.close();
    expect(reported(store)).toEqual(['session-created new', 'turn-ended old']);
  });

  it('reports a session as removed only if no other machine has taken it over', async () => {
    const store = createMemoryStore();
    await store.write([{ type: 'put-session', row: sessionRow('moved') }]);
    const before = startWith(store, [
      { ...summary('moved'), node },
      { ...summary('deleted'), node },
    ]);
    await before.webhooks.add({ url: 'http://hooks.example/', allowPrivate: true });
    const there = { ...node, nodeId: 'm', presence: 'there' as const };
    before.directory.put({ ...summary('moved'), node: there, ended });
    await before.close();
    const after = startWith(store, []);
    after.directory.put({ ...summary('moved'), node: there, ended });
    await after.close();
    expect(reported(store)).toEqual(['turn-ended moved', 'session-removed deleted']);
  });
});
