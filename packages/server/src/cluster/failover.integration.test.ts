import { startRedis } from '@liminal/stand-ins/testing/start-redis';
import { expect, it, vi } from 'vitest';
import { patience } from '../reliability/testing/torture.ts';
import { connectRedis } from './redis/redis-client.ts';
import { setBadRedis, stands, worksHere } from './testing/bad-redis.ts';
import { startRedisAddress } from './testing/redis-address.ts';
import { startSentinel } from './testing/start-sentinel.ts';
import { startTestCluster, type TestNode } from './testing/test-cluster.ts';

const { use } = setBadRedis();

/** Sends on one machine and waits until the other one has the message. */
async function readThere(one: TestNode, two: TestNode, sessionId: string): Promise<void> {
  await one.call('POST', `/api/session/${sessionId}/send`, { content: 'after the failover' });
  await vi.waitFor(async () => {
    const { body } = await two.call('GET', `/api/session/${sessionId}/history`);
    expect(JSON.stringify(body)).toContain('after the failover');
  }, patience);
}

type Redis = Awaited<ReturnType<typeof startRedis>>;
type Failover = {
  readonly primary: Redis;
  readonly replica: Redis;
  readonly one: TestNode;
  /** Points the address to this Redis and cuts all connections. */
  readonly pointTo: (redis: Redis) => void;
  /** Waits until both machines are members again and read each other's messages. */
  readonly rejoined: () => Promise<void>;
};

/** Two machines that reach a Redis with a replica through one address, and a session on the first machine. */
async function withFailover(test: (failover: Failover) => Promise<void>): Promise<void> {
  const cluster = await use(startTestCluster(0));
  const primary = await startRedis();
  const replica = await startRedis({ flags: ['--replicaof', '127.0.0.1', String(primary.port)] });
  let { port } = primary;
  const address = await startRedisAddress(() => port);
  try {
    const config = { redisUrl: address.url };
    const [one, two] = [await cluster.add({ config }), await cluster.add({ config })];
    await cluster.settled();
    const sessionId = await one.newSession();
    await cluster.settled();
    await test({
      primary,
      replica,
      one,
      pointTo(redis) {
        ({ port } = redis);
        address.cut();
      },
      async rejoined() {
        await Promise.all([stands(one, 'joined'), stands(two, 'joined')]);
        await readThere(one, two, sessionId);
      },
    });
  } finally {
    address.close();
    await replica.stop();
    await primary.stop();
  }
}

it('continues with a replica that became the primary, and loses nothing', { timeout: 120_000 }, () =>
  withFailover(async ({ primary, replica, one, pointTo, rejoined }) => {
    const line = await connectRedis({ url: replica.url, caFile: null });
    // A machine connected to a replica can't be a member. It says so and works alone.
    pointTo(replica);
    await stands(one, 'apart', /doesn't accept writes right now/);
    await worksHere(one);
    await primary.kill();
    await line.run(['REPLICAOF', 'NO', 'ONE']);
    line.destroy();
    await rejoined();
  }),
);

it('continues with the replica that Sentinel promoted after the primary died', { timeout: 120_000 }, () =>
  withFailover(async ({ primary, replica, one, pointTo, rejoined }) => {
    const sentinel = await startSentinel(primary.port);
    try {
      await vi.waitFor(async () => expect(await sentinel.replicas()).toBe(1), patience);
      await primary.kill();
      await stands(one, 'apart');
      await worksHere(one);
      // As a proxy such as HAProxy does, follow Sentinel to the primary.
      await vi.waitFor(async () => expect(await sentinel.primaryPort()).toBe(replica.port), patience);
      pointTo(replica);
      await rejoined();
    } finally {
      await sentinel.stop();
    }
  }),
);
