import { afterEach, expect, vi } from 'vitest';
import { patience } from '../../reliability/testing/torture.ts';
import { connectRedis, type RedisConnection, type RedisReply } from '../redis/redis-client.ts';
import type { TestCluster, TestNode } from './test-cluster.ts';

/** Helpers for tests with a bad Redis: the cluster of the current test, and a separate connection to its Redis. */
export function setBadRedis() {
  let cluster: TestCluster | null = null;
  let line: RedisConnection | null = null;
  afterEach(async () => {
    line?.destroy();
    line = null;
    await cluster?.close();
    cluster = null;
  });
  const run = async (...args: string[]): Promise<RedisReply> => {
    line ??= await connectRedis({ url: cluster?.redis.url ?? '', caFile: null });
    return line.run(args);
  };
  return {
    /** Uses this cluster until the end of the test. */
    async use(starting: Promise<TestCluster>): Promise<TestCluster> {
      cluster = await starting;
      return cluster;
    },
    redis: run,
    /**
     * Deletes a stream, in a later millisecond than its last entry. Entry ids are times: entries of a stream that is
     * created again within the same millisecond would count as already read.
     */
    async deleteStream(key: string): Promise<void> {
      const [last] = (await run('XREVRANGE', key, '+', '-', 'COUNT', '1')) as [string, unknown][];
      await vi.waitFor(async () => {
        const [seconds, micros] = (await run('TIME')) as [string, string];
        const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
        expect(now).toBeGreaterThan(Number(last?.[0].split('-')[0] ?? 0));
      }, patience);
      await run('DEL', key);
    },
  };
}

/** The state of a node as its page shows it. If something is wrong, its log must say the same. */
export const stands = (node: TestNode, state: 'joined' | 'apart', reason = /^/): Promise<void> =>
  vi.waitFor(() => {
    const view = node.cluster.view();
    expect(view.state).toBe(state);
    expect(view.reason ?? '').toMatch(reason);
    if (state === 'apart') expect(node.warnings).toContain(`Can't reach other machines. ${view.reason}`);
  }, patience);

/** Checks that a user on the machine itself can still work, whatever is wrong with Redis. */
export async function worksHere(node: TestNode): Promise<void> {
  const id = await node.newSession();
  const sent = await node.call('POST', `/api/session/${id}/send`, { content: 'hello' });
  expect(sent.status).toBe(202);
  await vi.waitFor(
    () => expect(node.provider.sent.at(-1)).toMatchObject({ sessionId: id, message: 'hello' }),
    patience,
  );
}
