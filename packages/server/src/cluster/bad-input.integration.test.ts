import { startRedis } from '@liminal/stand-ins/testing/start-redis';
import { describe, expect, it, vi } from 'vitest';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { patience } from '../reliability/testing/torture.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { startTestServer } from '../testing/test-server.ts';
import { layout } from './membership/membership.ts';
import { setBadRedis, stands, worksHere } from './testing/bad-redis.ts';
import { startOldRedis } from './testing/old-redis.ts';
import { startTestCluster, type TestNode } from './testing/test-cluster.ts';

const { use, redis } = setBadRedis();

describe('a server with an unusable Redis works alone, says why, and joins later by itself:', () => {
  it('with a wrong password', async () => {
    const cluster = await use(startTestCluster(0, { password: 'right' }));
    const url = `redis://:wrong@127.0.0.1:${cluster.redis.port}`;
    const node = await cluster.add({ config: { redisUrl: url } });
    await stands(node, 'apart', /rejected the user or password/);
    expect(node.cluster.view().reason).not.toContain(':wrong@');
    await worksHere(node);
    await redis('CONFIG', 'SET', 'requirepass', 'wrong');
    await stands(node, 'joined');
  });

  it('with a version that is too old', async () => {
    const old = await startOldRedis('5.0.14');
    const cluster = await use(startTestCluster(0));
    const node = await cluster.add({ config: { redisUrl: old.url } });
    await stands(node, 'apart', /^Redis 6\.2 or newer is required. This one is 5\.0\.14\.$/);
    await worksHere(node);
    // Simulate an update: a newer Redis answers at the same address.
    await old.close();
    const updated = await startRedis({ port: old.port });
    await stands(node, 'joined');
    await node.close();
    await updated.stop();
  });

  it('with a Redis in cluster mode', async () => {
    const cluster = await use(startTestCluster(0, { flags: ['--cluster-enabled', 'yes'] }));
    const node = await cluster.add();
    await stands(node, 'apart', /runs in cluster mode, which is not supported\. Use a single Redis/);
    await worksHere(node);
  });

  it('with a required command disabled', async () => {
    const off = ['EVALSHA', 'XREADGROUP', 'XDEL'].flatMap((name) => ['--rename-command', name, '']);
    const cluster = await use(startTestCluster(0, { flags: off }));
    const node = await cluster.add();
    await stands(node, 'apart', /lacks required commands \(EVALSHA, XDEL, XREADGROUP\)\. Use Redis 6\.2/);
    await worksHere(node);
  });

  it.each(['EVALSHA', 'XADD', 'XREAD', 'XREADGROUP', 'ZADD'])(
    'with %s and the list of commands disabled',
    async (name) => {
      const off = ['COMMAND', name].flatMap((each) => ['--rename-command', each, '']);
      const cluster = await use(startTestCluster(0, { flags: off }));
      const node = await cluster.add();
      await stands(node, 'apart', /lacks required commands \(ERR Unknown/i);
      await worksHere(node);
    },
  );

  it('with a user that lacks permissions', async () => {
    const cluster = await use(startTestCluster(0));
    await redis('ACL', 'SETUSER', 'guest', 'on', '>word', '~other:*', '+@all');
    const node = await cluster.add({ config: { redisUrl: `redis://guest:word@127.0.0.1:${cluster.redis.port}` } });
    await stands(node, 'apart', /denies its user a required command/);
    await worksHere(node);
    await redis('ACL', 'SETUSER', 'guest', '~liminal:*');
    await stands(node, 'joined');
  });

  it('with a wrong address', async () => {
    const cluster = await use(startTestCluster(0));
    await cluster.redis.kill();
    const node = await cluster.add();
    await stands(node, 'apart', /can't be reached/);
    await worksHere(node);
    await cluster.redis.restart();
    await stands(node, 'joined');
  });

  it('with an unknown host, and with another program at the address', async () => {
    const cluster = await use(startTestCluster(0));
    const nowhere = await cluster.add({ config: { redisUrl: 'redis://no-such-host.invalid:6379' } });
    await stands(nowhere, 'apart', /^Redis at no-such-host\.invalid:6379 can't be reached \((ENOTFOUND|EAI_AGAIN)\)/);
    await worksHere(nowhere);
    // One of our own servers stands for any program that speaks HTTP.
    const elsewhere = await cluster.add({ config: { redisUrl: `redis://127.0.0.1:${nowhere.port}` } });
    await stands(elsewhere, 'apart', /can't be reached .* Check LIMINAL_REDIS_URL, and that Redis is running\.$/);
    await worksHere(elsewhere);
  });

  it('with a full memory', async () => {
    const cluster = await use(startTestCluster(2));
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    await worksHere(node);
    await cluster.settled();
    await redis('CONFIG', 'SET', 'maxmemory', '1000000');
    await stands(node, 'apart', /is out of memory/);
    await worksHere(node);
    await redis('CONFIG', 'SET', 'maxmemory', '0');
    await stands(node, 'joined');
    const ids = node.served.roster.all().map(({ shell }) => shell.sessionId);
    await vi.waitFor(() => expect(ids.every((id) => other.cluster.directory.get(id))).toBe(true), patience);
  });

  it.each(['cluster', 'leases', 'incarnations', 'nodes', 'owners', 'fence', 'news', 'news:count'])(
    'with a key of another type in place of our %s',
    async (name) => {
      const key = `liminal:${name}`;
      const cluster = await use(startTestCluster(0));
      await redis('SET', key, 'of another program');
      // An existing session, which is claimed and listed.
      const store = createMemoryStore();
      const before = await startTestServer({ store, provider: createScriptedProvider('scripted', {}, 'before') });
      await before.newSession();
      await before.close();
      const node = await cluster.add({ store });
      await stands(node, 'apart', /an unexpected type/);
      await worksHere(node);
      await redis('DEL', key);
      await stands(node, 'joined');
    },
  );

  it('with machines of a newer version, and machines with another secret', async () => {
    const cluster = await use(startTestCluster(0));
    await redis('HSET', 'liminal:cluster', 'layout', String(layout + 1));
    const node = await cluster.add();
    await stands(node, 'apart', new RegExp(`newer version \\(layout ${layout + 1}, ours is ${layout}\\)`));
    await worksHere(node);
    await redis('DEL', 'liminal:cluster');
    await stands(node, 'joined');
    const stranger = await cluster.add({ config: { secret: 'a secret of their own' } });
    await stands(stranger, 'apart', /another LIMINAL_CLUSTER_SECRET/);
    expect(node.cluster.view().nodes.map(({ name }) => name)).toEqual([node.name]);
  });
});
