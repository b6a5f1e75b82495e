import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { connectReader, type FoldingReader } from '../reliability/testing/folding-reader.ts';
import { patience, testTimeout } from '../reliability/testing/torture.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { connectSocket } from '../testing/socket-client.ts';
import { testToken } from '../testing/test-server.ts';
import { startTestCluster, type TestCluster, type TestNode } from './testing/test-cluster.ts';

let cluster: TestCluster;
let store: Store;
const readers: FoldingReader[] = [];
const folder = mkdtempSync(join(tmpdir(), 'liminal-unloading-'));
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await cluster.close();
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const answer = async ({ provider }: TestNode, sessionId: string, count: number): Promise<string> => {
  await vi.waitFor(() => expect(provider.sent).toHaveLength(count), patience);
  const turnId = provider.sent.at(-1)?.options?.turnId ?? '';
  provider.start(sessionId);
  provider.say(sessionId, `${turnId}:1:0`, `answer ${count}`, 'complete');
  provider.end(sessionId);
  return `${turnId}:1:0`;
};
const inMemory = ({ served }: TestNode): string[] => served.roster.all().map(({ shell }) => shell.sessionId);
const left = (node: TestNode): Promise<void> =>
  vi.waitFor(async () => {
    await node.served.keeper.check();
    expect(inMemory(node)).toEqual([]);
  }, patience);

describe('idle sessions in a cluster', () => {
  it(
    'leave memory, stay readable from the other machine, and return with a message from there',
    async () => {
      cluster = await startTestCluster(1);
      const [other] = cluster.nodes as [TestNode];
      store = openSqliteStore(join(folder, 'owner.sqlite'));
      const owner = await cluster.add({ store, idleMs: 0, limits: { unusedMs: 0 } });
      const sessionId = await owner.newSession();
      await owner.call('POST', `/api/session/${sessionId}/send`, { content: 'first' });
      const first = await answer(owner, sessionId, 1);
      await cluster.settled();
      await left(owner);

      const reader = await connectReader({ port: other.port, token: testToken });
      readers.push(reader);
      reader.subscribe(sessionId, 'append');
      await reader.until(sessionId, (timeline) => timeline.items.has(first));
      expect(inMemory(owner)).toEqual([]);

      const sent = await other.call('POST', `/api/session/${sessionId}/send`, { content: 'second' });
      expect(sent.status).toBe(202);
      const second = await answer(owner, sessionId, 2);
      await reader.until(sessionId, ({ items }) => items.has(first) && items.has(second));
      await left(owner);
      expect(reader.faults).toEqual([]);
      expect((await other.call('GET', `/api/session/${sessionId}/history`)).body['turns']).toHaveLength(2);
    },
    testTimeout,
  );

  it(
    'return for one item that a page of the other machine requests',
    async () => {
      cluster = await startTestCluster(1);
      const [other] = cluster.nodes as [TestNode];
      store = openSqliteStore(join(folder, 'repeated.sqlite'));
      const owner = await cluster.add({ store, idleMs: 0, limits: { unusedMs: 0 } });
      const sessionId = await owner.newSession();
      await cluster.settled();
      const client = await connectSocket(other.port);
      client.say({ type: 'session:subscribe', sessionId });
      await client.next(({ type }) => type === 'session:history');
      await owner.call('POST', `/api/session/${sessionId}/send`, { content: 'first' });
      const itemId = await answer(owner, sessionId, 1);
      // If the session was unloaded before the message, it came back with a history that has the item.
      await client.next((message) =>
        message.type === 'session:history'
          ? message.entries.some((entry) => entry.itemId === itemId)
          : message.type === 'session:upsert' && message.payload.itemId === itemId,
      );
      await left(owner);
      const before = client.messages.length;
      client.say({ type: 'session:item', sessionId, itemId });
      await vi.waitFor(() => expect(JSON.stringify(client.messages.slice(before))).toContain('answer 1'), patience);
      await client.close();
    },
    testTimeout,
  );

  it(
    'stay until the other machines can read them',
    async () => {
      cluster = await startTestCluster(1);
      const [other] = cluster.nodes as [TestNode];
      store = openSqliteStore(join(folder, 'unpublished.sqlite'));
      const owner = await cluster.add({ store, idleMs: 0, limits: { unusedMs: 0 } });
      await cluster.settled();
      // Redis answers late, so it has neither the session's owner nor its history yet.
      process.kill(cluster.redis.pid, 'SIGSTOP');
      const sessionId = await owner.newSession();
      await owner.served.keeper.check();
      process.kill(cluster.redis.pid, 'SIGCONT');
      await vi.waitFor(() => expect(other.cluster.directory.get(sessionId)).toBeDefined(), patience);
      const client = await connectSocket(other.port);
      client.say({ type: 'session:subscribe', sessionId });
      await vi.waitFor(() => expect(client.messages).toMatchObject([{ type: 'session:history', sessionId }]), patience);
      await left(owner);
      await client.close();
    },
    testTimeout,
  );

  it(
    'stay while a page on their own machine reads them',
    async () => {
      cluster = await startTestCluster(1);
      store = openSqliteStore(join(folder, 'read.sqlite'));
      const owner = await cluster.add({ store, idleMs: 0, limits: { unusedMs: 0 } });
      const [read, unread] = [await owner.newSession(), await owner.newSession()];
      const client = await connectSocket(owner.port);
      client.say({ type: 'session:subscribe', sessionId: read });
      await client.next(({ type }) => type === 'session:history');
      await vi.waitFor(async () => {
        await owner.served.keeper.check();
        expect(inMemory(owner)).not.toContain(unread);
      }, patience);
      expect(inMemory(owner)).toEqual([read]);
      await client.close();
      await left(owner);
    },
    testTimeout,
  );
});
