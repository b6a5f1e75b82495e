import { afterEach, expect, vi } from 'vitest';
import { patience } from '../../reliability/testing/torture.ts';
import { connectRedis, type RedisConnection, type RedisReply } from '../redis/redis-client.ts';
import type { TestCluster, TestNode } from './test-cluster.ts';

/** What tests of a bad Redis need: the cluster of the test that runs, and a line of their own into its Redis. */
export function setBadRedis() {
  let cluster: TestCluster | null = null;
  let line: RedisConnection | null = null;
  afterEach(async () => {
    line?.destroy();
    line = null;
    await cluster?.close();
    cluster = null;
  });
  return {
    /** Ends with the test. */
    async use(starting: Promise<TestCluster>): Promise<TestCluster> {
      cluster = await starting;
      return cluster;
    },
    async redis(...args: string[]): Promise<RedisReply> {
      line ??= await connectRedis({ url: cluster?.redis.url ?? '', caFile: null });
      return line.run(args);
    },
  };
}

/** How a node stands, as its page is told; and where something is wrong, that its log says the same. */
export const stands = (node: TestNode, state: 'joined' | 'apart', reason = /^/): Promise<void> =>
  vi.waitFor(() => {
    const view = node.cluster.view();
    expect(view.state).toBe(state);
    expect(view.reason ?? '').toMatch(reason);
    if (state === 'apart') expect(node.warnings).toContain(`Other machines cannot be seen. ${view.reason}`);
  }, patience);

/** Whatever is wrong with Redis, a person on the machine itself notices nothing. */
export async function worksHere(node: TestNode): Promise<void> {
  const id = await node.newSession();
  const sent = await node.call('POST', `/api/session/${id}/send`, { content: 'hello' });
  expect(sent.status).toBe(202);
  await vi.waitFor(
    () => expect(node.provider.sent.at(-1)).toMatchObject({ sessionId: id, message: 'hello' }),
    patience,
  );
}
