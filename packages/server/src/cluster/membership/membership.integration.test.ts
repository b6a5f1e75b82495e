import { type RedisProcess, startRedis } from '@liminal/stand-ins/testing/start-redis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../observe/logger.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { testSecret } from '../testing/test-cluster.ts';
import { createMembership, type Membership, type MembershipDeps } from './membership.ts';
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
    lastIncarnation: () => '',
    keepIncarnation: async () => {},
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
