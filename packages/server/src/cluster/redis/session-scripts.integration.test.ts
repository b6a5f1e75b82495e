import { type RedisProcess, startRedis } from '@liminal/stand-ins/testing/start-redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { patience } from '../../reliability/testing/torture.ts';
import { claimScript, registerScript, renewScript } from './node-scripts.ts';
import { connectRedis, type RedisConnection, type RedisReply } from './redis-client.ts';
import { redisKeys } from './redis-keys.ts';
import { runScript, type RedisScript } from './run-script.ts';
import { baseScript, itemScript, publishScript, readScript } from './session-scripts.ts';
import { type Step, stepArguments } from './step-arguments.ts';

let redis: RedisProcess;
let line: RedisConnection;
beforeAll(async () => {
  redis = await startRedis();
  line = await connectRedis({ url: redis.url, caFile: null });
});
beforeEach(async () => void (await line.run(['FLUSHALL'])));
afterAll(async () => {
  line.destroy();
  await redis.stop();
});

const keys = redisKeys();
const nodeKeys = [keys.leases, keys.incarnations];
const sessionKeys = [...nodeKeys, keys.owners, keys.head('s'), keys.items('s'), keys.index('s'), keys.changes('s')];
const run = async (script: RedisScript, used: readonly string[], args: readonly (string | number)[]) =>
  (await runScript(line, script, used, args)) as readonly RedisReply[];
const register = (node: string, incarnation: string, before = '', leaseMs = 60_000) =>
  run(registerScript, [...nodeKeys, keys.nodes, keys.cluster], [node, incarnation, before, leaseMs, '{}', 1, 'proof']);
const renew = (node: string, incarnation: string) =>
  run(renewScript, [...nodeKeys, keys.nodes], [node, incarnation, 60_000, '{}']);
const claim = (node: string, incarnation: string, mode: 'own' | 'take', ...ids: string[]) =>
  run(claimScript, [...nodeKeys, keys.owners, keys.fence], [node, incarnation, mode, ...ids]);
const base = (node: string, incarnation: string, fence: RedisReply, epoch = 'e') =>
  run(baseScript, sessionKeys, [node, incarnation, 's', String(fence), epoch, 0, '', '1', '2', 'status', epoch, '0']);
const publish = (node: string, incarnation: string, fence: RedisReply, prev: number, value: string) => {
  const owner = [node, incarnation, 's', String(fence)];
  const change = ['e', prev, prev + 1, 100, '[]', '[]', '2', 'status', value, '0'];
  return run(publishScript, sessionKeys, [...owner, ...change]);
};
const everything = async () =>
  JSON.stringify([
    await line.run(['HGETALL', keys.head('s')]),
    await line.run(['HGETALL', keys.items('s')]),
    await line.run(['XRANGE', keys.changes('s'), '-', '+']),
    await line.run(['HGETALL', keys.owners]),
  ]);

describe('write access to a session', () => {
  it('goes to one of two nodes that claim it, under its own number only', async () => {
    await register('a', 'a1');
    await register('b', 'b1');
    const [first, second] = await Promise.all([claim('a', 'a1', 'own', 's'), claim('b', 'b1', 'own', 's')]);
    expect([first?.[2], second?.[2]]).toEqual([[], ['s', 'a']]);
    expect(await base('a', 'a1', first?.[1] ?? 0)).toEqual(['OK']);
    const before = await everything();
    expect(await base('b', 'b1', second?.[1] ?? 0)).toEqual(['FENCED']);
    expect(await publish('a', 'a1', Number(first?.[1]) + 1, 0, 'x')).toEqual(['FENCED']);
    expect(await claim('b', 'b1', 'take', 's')).toMatchObject(['OK', expect.anything(), ['s', 'a']]);
    expect(await everything()).toBe(before);
  });

  it('ends with the lease, and doesn’t return after a rejoin if the session was taken', async () => {
    await register('a', 'a1', '', 50);
    await register('b', 'b1');
    const [, fence] = await claim('a', 'a1', 'own', 's');
    await base('a', 'a1', fence ?? 0);
    await vi.waitFor(async () => expect((await renew('b', 'b1'))[1]).toEqual(['a']), patience);
    const before = await everything();
    expect(await publish('a', 'a1', fence ?? 0, 0, 'late')).toEqual(['LAPSED']);
    expect(await renew('a', 'a1')).toEqual(['LAPSED']);
    expect(await claim('a', 'a1', 'own', 's')).toEqual(['LAPSED']);
    expect(await everything()).toBe(before);

    const [, taken] = await claim('b', 'b1', 'take', 's');
    expect(await base('b', 'b1', taken ?? 0, 'other')).toEqual(['OK']);
    const after = await everything();
    expect(await register('a', 'a2', 'a1')).toEqual(['OK']);
    expect(await publish('a', 'a2', fence ?? 0, 0, 'late')).toEqual(['FENCED']);
    expect(await base('a', 'a2', fence ?? 0)).toEqual(['FENCED']);
    expect(await claim('a', 'a2', 'own', 's')).toMatchObject(['OK', expect.anything(), ['s', 'b']]);
    expect(await everything()).toBe(after);
  });

  it('is refused to an earlier incarnation of a node, and a copy can’t join', async () => {
    await register('a', 'a1');
    const [, fence] = await claim('a', 'a1', 'own', 's');
    await base('a', 'a1', fence ?? 0);
    expect(await register('a', 'a2', 'of somebody else')).toEqual(['TAKEN']);
    expect(await register('a', 'a2', 'a1')).toEqual(['OK']);
    expect(await publish('a', 'a1', fence ?? 0, 0, 'x')).toEqual(['LAPSED']);
  });
});

describe('publishing', () => {
  it('ignores duplicates and refuses changes out of order', async () => {
    await register('a', 'a1');
    const [, fence = 0] = await claim('a', 'a1', 'own', 's');
    await base('a', 'a1', fence);
    expect(await publish('a', 'a1', fence, 0, 'one')).toEqual(['OK']);
    const before = await everything();
    expect(await publish('a', 'a1', fence, 0, 'one')).toEqual(['OK']);
    expect(await publish('a', 'a1', fence, 5, 'six')).toEqual(['RESET']);
    expect(await everything()).toBe(before);
    await line.run(['DEL', keys.head('s')]);
    expect(await publish('a', 'a1', fence, 1, 'two')).toEqual(['RESET']);
    expect(await run(readScript, sessionKeys.slice(3), ['', 1, 1, 1])).toEqual(['NONE']);
  });

  it('keeps growing text complete at every moment, in bounded pieces, and as one value at the end', async () => {
    await register('a', 'a1');
    const [, fence = 0] = await claim('a', 'a1', 'own', 's');
    await base('a', 'a1', fence);
    const step = (prev: number, ...one: Step) => {
      const args = ['a', 'a1', 's', String(fence), 'e', prev, prev + 1, 100, '[]', '[]', ...stepArguments([one])];
      return run(publishScript, sessionKeys, args);
    };
    await step(0, 'put', 'item:x', '{}', '1');
    let [seq, text] = [1, ''];
    for (const length of [1, 5_000, 8_191, 20_000, 1, 70_000, 3]) {
      const words = String(seq % 10).repeat(length);
      expect(await step(seq, 'grow', 'item:x', words, '')).toEqual(['OK']);
      text += words;
      seq += 1;
      expect(await run(itemScript, [keys.items('s')], ['item:x'])).toEqual(['{}', text]);
    }
    // The pieces of another item with a similar name stay separate.
    await step(seq, 'grow', 'item:x:1', 'other', '');
    const fields = (await line.run(['HKEYS', keys.items('s')])) as string[];
    expect(fields.filter((field) => field.startsWith('piece:') && field.endsWith(':item:x')).length).toBeGreaterThan(2);
    await step(seq + 1, 'settle', 'item:x', '{"whole":1}', '');
    expect(await run(itemScript, [keys.items('s')], ['item:x'])).toEqual(['{"whole":1}', '']);
    const left = (await line.run(['HKEYS', keys.items('s')])) as string[];
    expect(left.toSorted()).toEqual(['item:x', 'piece:1:item:x:1', 'pieces:item:x:1', 'status']);
  });

  it('accepts a page of any length', async () => {
    await register('a', 'a1');
    const [, fence = 0] = await claim('a', 'a1', 'own', 's');
    const steps = Array.from({ length: 3_001 }, (_, place): Step => ['put', `item:${place}`, `${place}`, `${place}`]);
    const args = ['a', 'a1', 's', String(fence), 'e', 0, '', '1', ...stepArguments(steps)];
    expect(await run(baseScript, sessionKeys, args)).toEqual(['OK']);
    expect(await line.run(['HMGET', keys.items('s'), 'item:0', 'item:499', 'item:500', 'item:3000'])).toEqual([
      '0',
      '499',
      '500',
      '3000',
    ]);
    expect(await line.run(['HLEN', keys.items('s')])).toBe(3_001);
    expect(await line.run(['ZCARD', keys.index('s')])).toBe(3_001);
    expect(await line.run(['ZSCORE', keys.index('s'), 'item:2999'])).toBe('2999');
  });
});
