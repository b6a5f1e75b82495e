import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectReader, type FoldingReader } from '../reliability/testing/folding-reader.ts';
import { patience } from '../reliability/testing/torture.ts';
import { connectSocket } from '../testing/socket-client.ts';
import { testToken } from '../testing/test-server.ts';
import { connectRedis, type RedisConnection } from './redis/redis-client.ts';
import { startTestCluster, type TestCluster, type TestNode } from './testing/test-cluster.ts';

let cluster: TestCluster;
let [owner, other] = [] as unknown as [TestNode, TestNode];
let line: RedisConnection;
const readers: FoldingReader[] = [];
beforeEach(async () => {
  cluster = await startTestCluster(2);
  [owner, other] = cluster.nodes as [TestNode, TestNode];
  line = await connectRedis({ url: cluster.redis.url, caFile: null });
});
afterEach(async () => {
  line.destroy();
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await cluster.close();
});

/** A turn of agent output, followed from the other machine. */
async function speaking() {
  const sessionId = await owner.newSession();
  await owner.call('POST', `/api/session/${sessionId}/send`, { content: 'go on' });
  await vi.waitFor(() => expect(owner.provider.sent).toHaveLength(1), patience);
  const turnId = owner.provider.sent[0]?.options?.turnId ?? '';
  owner.provider.start(sessionId);
  await cluster.settled();
  const follow = async (): Promise<FoldingReader> => {
    const reader = await connectReader({ port: other.port, token: testToken });
    readers.push(reader);
    reader.subscribe(sessionId, 'append');
    await reader.until(sessionId, (timeline) => timeline.cursor !== undefined);
    return reader;
  };
  const say = async (text: string): Promise<void> => {
    owner.provider.say(sessionId, `${turnId}:1:0`, text);
    await vi.waitFor(async () => expect(await owner.cluster.bus.isSettled()).toBe(true), patience);
  };
  return { sessionId, turnId, follow, say };
}

describe('a session in Redis', () => {
  it('is the newest state of each thing and a bounded stream, so a slow reader gets a gap and a history', async () => {
    const { sessionId, turnId, follow, say } = await speaking();
    const reader = await follow();
    await say('the beginning');
    await reader.until(sessionId, (timeline) => timeline.items.has(`${turnId}:1:0`));
    const { cursor } = reader.timeline(sessionId);
    expect(cursor).toBeDefined();
    const rounds = 80;
    // A different text of 60 KB each time, in a message of its own.
    for (let round = 0; round < rounds; round += 1) await say(`${round} ${'x'.repeat(60_000)}`);
    const items = (await line.run(['HGETALL', `liminal:session:${sessionId}:items`])) as string[];
    const texts = items.filter((value) => value.includes('xxxx'));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(`${rounds - 1} xxx`);
    const length = Number(await line.run(['XLEN', `liminal:session:${sessionId}:changes`]));
    expect(length).toBeLessThan(rounds / 2);

    // A machine that hasn't followed it, with a browser that has: cursors mean the same everywhere.
    const third = await cluster.add();
    await cluster.settled();
    const socket = await connectSocket(third.port);
    socket.say({ type: 'session:subscribe', sessionId, encoding: 'append', ...(cursor ? { cursor } : {}) });
    expect(await socket.next(({ type }) => type === 'session:resumed')).toMatchObject({ verdict: 'gap' });
    const history = await socket.next(({ type }) => type === 'session:history');
    expect(JSON.stringify(history)).toContain(`${rounds - 1} xxx`);
    await socket.close();
  });

  it('is read once by each machine, however many browsers follow it there', async () => {
    const { sessionId, turnId, follow, say } = await speaking();
    const first = await follow();
    const connections = async () =>
      String(await line.run(['CLIENT', 'LIST']))
        .trim()
        .split('\n').length;
    const before = await connections();
    const crowd = [first, ...(await Promise.all(Array.from({ length: 20 }, follow)))];
    expect(await connections()).toBe(before);
    const delivered = async () => {
      const stats = String(await line.run(['INFO', 'stats']));
      return Number(/total_net_output_bytes:(\d+)/.exec(stats)?.[1]);
    };
    const start = await delivered();
    await say('y'.repeat(200_000));
    for (const reader of crowd) {
      await reader.until(sessionId, (timeline) => timeline.items.has(`${turnId}:1:0`));
    }
    // Only once, plus the little that machines send each other.
    expect((await delivered()) - start).toBeLessThan(2 * 200_000);
  });
});
