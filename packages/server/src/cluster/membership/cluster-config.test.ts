import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../compose/config.ts';
import { readClusterConfig } from './cluster-config.ts';

const secret = { LIMINAL_CLUSTER_SECRET: 'sixteen letters or more' };
const url = 'redis://127.0.0.1:6379';

describe('readClusterConfig', () => {
  it('returns no cluster without a Redis address', () => {
    expect(readClusterConfig({}, secret)).toEqual({ ok: true, cluster: null });
  });

  it('prefers flags to the environment, and uses the host name if no name is given', () => {
    const read = readClusterConfig({ redis: url, name: 'desk' }, { ...secret, LIMINAL_REDIS_URL: 'redis://other' });
    expect(read).toMatchObject({
      ok: true,
      cluster: { redisUrl: url, name: 'desk', leaseMs: 10_000, sharesTokens: true },
    });
    const fromEnv = readClusterConfig({}, { ...secret, LIMINAL_REDIS_URL: 'rediss://user:word@host:6380/2' });
    expect(fromEnv).toMatchObject({ ok: true, cluster: { name: hostname() } });
  });

  it.each([
    ['an invalid address', { redis: 'localhost:6379' }, secret, /redis:\/\/host/],
    ['another kind of address', { redis: 'http://host' }, secret, /redis:\/\/host/],
    ['no secret', { redis: url }, {}, /LIMINAL_CLUSTER_SECRET/],
    ['a short secret', { redis: url }, { LIMINAL_CLUSTER_SECRET: 'short' }, /16 characters/],
    ['an unknown token setting', { redis: url }, { ...secret, LIMINAL_CLUSTER_TOKENS: 'some' }, /"every" or "own"/],
    ['a lease that is not a number', { redis: url }, { ...secret, LIMINAL_LEASE_SECONDS: 'long' }, /1 to 600/],
    ['a missing certificate', { redis: url }, { ...secret, LIMINAL_REDIS_CA: '/nowhere' }, /\/nowhere/],
  ])('rejects %s with a clear message', (_, flags, env, sentence) => {
    expect(readClusterConfig(flags, env)).toEqual({ ok: false, sentence: expect.stringMatching(sentence) });
  });

  it('is part of the program’s flags, as is the public address', () => {
    expect(readConfig(['--redis', url, '--name', 'desk'], secret)).toMatchObject({
      ok: true,
      config: { cluster: { redisUrl: url, name: 'desk' }, publicUrl: null },
    });
    expect(readConfig([], { LIMINAL_PUBLIC_URL: 'https://agents.example.org' })).toMatchObject({ ok: true });
    expect(readConfig([], { LIMINAL_PUBLIC_URL: 'https://example.org/agents/' })).toMatchObject({ ok: true });
    expect(readConfig([], { LIMINAL_PUBLIC_URL: 'example.org' })).toMatchObject({ ok: false });
  });
});
