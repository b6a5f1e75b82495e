import { startRedis } from '@liminal/stand-ins/testing/start-redis';
import { expect, it, vi } from 'vitest';
import { createLogger } from '../../observe/logger.ts';
import { testSecret } from '../testing/test-cluster.ts';
import { createMembership } from './membership.ts';
import { createSeal } from './seal.ts';

it('stays apart and renews nothing if it is closed while it joins', async () => {
  const redis = await startRedis();
  try {
    const repeat = vi.spyOn(globalThis, 'setInterval');
    const membership = createMembership({
      config: {
        redisUrl: redis.url,
        redisCaFile: null,
        secret: testSecret,
        name: 'node',
        sharesTokens: false,
        leaseMs: 2_000,
        takeMs: 5_000,
        answerMs: 30_000,
      },
      seal: createSeal(testSecret),
      nodeId: 'node',
      record: () => '{}',
      lastIncarnation: () => '',
      keepIncarnation: async () => {},
      log: createLogger('silent'),
    });
    const closed = new Promise<void>((resolve) => membership.onJoin(async () => resolve(membership.close())));
    membership.start();
    await closed;
    expect(membership.isJoined()).toBe(false);
    expect(repeat).not.toHaveBeenCalled();
  } finally {
    await redis.stop();
  }
});
