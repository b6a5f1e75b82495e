import { type RedisProcess, startRedis } from '@liminal/stand-ins/testing/start-redis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../observe/logger.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { connectRedis } from '../redis/redis-client.ts';
import { testSecret } from '../testing/test-cluster.ts';
import { createMembership, type Membership, type MembershipDeps } from './membership.ts';
import { createNodeIdentity } from './node-identity.ts';
import { createSeal } from './seal.ts';

let redis: RedisProcess;
const members: Membership[] = [];
beforeEach(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(members.splice(0).map((member) => member.close()));
  await redis.stop();
});

function member(leaseMs: number, more: Partial<MembershipDeps> = {}): Membership {
  const identity = createNodeIdentity(createMemoryStore());
  const membership = createMembership({
    config: {
      redisUrl: redis.url,
      redisCaFile: null,
      secret: testSecret,
      name: 'node',
      sharesTokens: false,
      leaseMs,
      takeMs: 5_000,
      answerMs: 30_000,
    },
    seal: createSeal(testSecret),
    nodeId: 'node',
    record: () => '{}',
    incarnations: identity.incarnations,
    keepIncarnations: identity.keepIncarnations,
    log: createLogger('silent'),
    ...more,
  });
  members.push(membership);
  return membership;
}
const joined = (membership: Membership) => vi.waitFor(() => expect(membership.isJoined()).toBe(true), patience);

it('stays apart and renews nothing if it is closed while it joins', async () => {
  const repeat = vi.spyOn(globalThis, 'setInterval');
  const end = vi.spyOn(globalThis, 'clearInterval');
  const membership = member(2_000);
  const closed = new Promise<void>((resolve) => membership.onJoin(async () => resolve(membership.close())));
  membership.start();
  await closed;
  expect(membership.isJoined()).toBe(false);
  for (const { value } of repeat.mock.results) expect(end).toHaveBeenCalledWith(value);
});

describe('the lease', () => {
  it('is renewed while the node joins, however long that takes', async () => {
    const membership = member(1_000);
    const ends = async () => Number(await membership.run(['ZSCORE', membership.keys.leases, 'node']));
    membership.onJoin(async () => {
      const first = await ends();
      await vi.waitFor(async () => expect(await ends()).toBeGreaterThan(first + 800), 5_000);
    });
    membership.start();
    await joined(membership);
  });

  it('is renewed before the connection counts as silent, however long it is', async () => {
    const repeat = vi.spyOn(globalThis, 'setInterval');
    const membership = member(600_000);
    membership.start();
    await joined(membership);
    expect(repeat.mock.calls.map(([, ms]) => ms)).toEqual([5_000]);
  });
});

describe('the identity of a data directory', () => {
  it('isn’t taken for a copy if the connection breaks while it registers, more than once', async () => {
    const { incarnations, keepIncarnations } = createNodeIdentity(createMemoryStore());
    const line = await connectRedis({ url: redis.url, caFile: null });
    let breaks = 0;
    const membership = member(60_000, {
      incarnations,
      async keepIncarnations(next) {
        await keepIncarnations(next);
        // Before the registration is sent.
        if (next.length > 1 && (breaks -= 1) >= 0) await line.run(['CLIENT', 'KILL', 'TYPE', 'normal']);
      },
    });
    const reasons: string[] = [];
    membership.onChange(() => reasons.push(membership.standing().reason ?? ''));
    membership.start();
    await joined(membership);
    breaks = 2;
    membership.broke(new Error('The connection broke.'));
    await vi.waitFor(() => expect([membership.isJoined(), breaks]).toEqual([true, -1]), patience);
    expect(reasons.filter((reason) => reason.includes('identity'))).toEqual([]);
    expect(incarnations()).toEqual([membership.incarnation()]);
    line.destroy();
  });

  it('is refused to a copy while the original runs', async () => {
    const store = createMemoryStore();
    const original = member(60_000, createNodeIdentity(store));
    original.start();
    await joined(original);
    const copy = createNodeIdentity(store);
    original.broke(new Error('The connection broke.'));
    await vi.waitFor(() => expect(original.isJoined()).toBe(false), patience);
    await joined(original);
    const second = member(60_000, copy);
    second.start();
    await vi.waitFor(() => expect(second.standing().reason).toMatch(/identity of this data directory/), patience);
    expect(original.isJoined()).toBe(true);
  });
});
