import { planRedis } from './redis-plan.mjs';
import { findRedis } from './find-redis.mjs';
import { installWithApt, machineRights } from './apt.mjs';

/** Makes sure that the tests of several machines have a Redis, and installs Debian's where it may. */
export async function ensureRedis() {
  if (findRedis() !== undefined) return;
  await installWithApt({
    what: 'redis-server for the tests',
    plan: planRedis({ redisPath: process.env.REDIS_SERVER_PATH, ...machineRights() }),
    isThere: () => findRedis() !== undefined,
    otherwise: 'set REDIS_SERVER_PATH to its program file',
  });
}
