import { describe, expect, test } from 'vitest';
import { findRedis, planRedis } from './redis.mjs';

const debian = { redisPath: undefined, hasApt: true, isRoot: false, hasSudo: false };

describe('planRedis', () => {
  test('root installs it, and sudo without a password too', () => {
    expect(planRedis({ ...debian, isRoot: true })).toEqual({ packages: ['redis-server'], isRoot: true });
    expect(planRedis({ ...debian, hasSudo: true })).toEqual({ packages: ['redis-server'], isRoot: false });
  });
  test.each([
    ['without rights', debian, /sudo apt-get install -y redis-server|apt-get install/],
    ['without apt', { ...debian, hasApt: false, isRoot: true }, /redis-server, 6\.2 or newer/],
    ['with a wrong REDIS_SERVER_PATH', { ...debian, isRoot: true, redisPath: '/nowhere' }, /\/nowhere/],
  ])('%s it explains what to do', (_, machine, advice) => {
    expect(planRedis(machine)).toMatchObject({ advice: expect.stringMatching(advice) });
  });
});

describe('findRedis', () => {
  test('uses the first on the PATH, unless REDIS_SERVER_PATH is set, even to a wrong value', () => {
    const env = { PATH: '/a:/b' };
    expect(findRedis(env, (file) => file === '/b/redis-server')).toBe('/b/redis-server');
    expect(findRedis(env, () => false)).toBeUndefined();
    const named = { ...env, REDIS_SERVER_PATH: '/my/redis' };
    expect(findRedis(named, () => true)).toBe('/my/redis');
    expect(findRedis(named, (file) => file !== '/my/redis')).toBeUndefined();
  });
});
