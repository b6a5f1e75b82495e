import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomUUID } from 'node:crypto';
import { patience } from '../reliability/testing/torture.ts';
import { connectReader } from '../reliability/testing/folding-reader.ts';
import { testToken } from '../testing/test-server.ts';
import { connectRedis, type RedisConnection, type RedisReply } from './redis/redis-client.ts';
import { createSeal } from './seal.ts';
import { startTestCluster, type TestCluster, type TestNode, testSecret } from './testing/test-cluster.ts';

let cluster: TestCluster;
const lines: RedisConnection[] = [];
afterEach(async () => {
  for (const line of lines.splice(0)) line.destroy();
  await cluster.close();
});

const redis = async (...args: string[]): Promise<RedisReply> => {
  const line = lines[0] ?? (await connectRedis({ url: cluster.redis.url, caFile: null }));
  lines[0] = line;
  return line.run(args);
};
const stands = (node: TestNode, state: 'joined' | 'apart', reason = /^/) =>
  vi.waitFor(() => {
    const view = node.cluster.view();
    expect(view.state).toBe(state);
    expect(view.reason ?? '').toMatch(reason);
  }, patience);
/** Whatever is wrong with Redis, a person on the machine itself notices nothing. */
async function worksHere(node: TestNode): Promise<void> {
  const id = await node.newSession();
  const sent = await node.call('POST', `/api/session/${id}/send`, { content: 'hello' });
  expect(sent.status).toBe(202);
  await vi.waitFor(
    () => expect(node.provider.sent.at(-1)).toMatchObject({ sessionId: id, message: 'hello' }),
    patience,
  );
}

describe('a server whose Redis is not what it should be works alone, says why, and joins by itself later', () => {
  it('a wrong password', async () => {
    cluster = await startTestCluster(0, { password: 'right' });
    const url = `redis://:wrong@127.0.0.1:${cluster.redis.port}`;
    const node = await cluster.add({ config: { redisUrl: url } });
    await stands(node, 'apart', /refuses the user or password/);
    expect(node.cluster.view().reason).not.toContain(':wrong@');
    await worksHere(node);
    await redis('CONFIG', 'SET', 'requirepass', 'wrong');
    await stands(node, 'joined');
  });

  it('a wrong address', async () => {
    cluster = await startTestCluster(0);
    await cluster.redis.kill();
    const node = await cluster.add();
    await stands(node, 'apart', /cannot be reached/);
    await worksHere(node);
    await cluster.redis.restart();
    await stands(node, 'joined');
  });

  it('a full one', async () => {
    cluster = await startTestCluster(2);
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    await worksHere(node);
    await cluster.settled();
    await redis('CONFIG', 'SET', 'maxmemory', '1000000');
    await stands(node, 'apart', /is full/);
    await worksHere(node);
    await redis('CONFIG', 'SET', 'maxmemory', '0');
    await stands(node, 'joined');
    const ids = node.served.roster.all().map(({ shell }) => shell.sessionId);
    await vi.waitFor(() => expect(ids.every((id) => other.cluster.directory.get(id))).toBe(true), patience);
  });

  it.each([
    ['nodes', 'liminal:nodes'],
    ['news', 'liminal:news'],
    ['leases', 'liminal:leases'],
  ])('a key of another kind where our %s are', async (_name, key) => {
    cluster = await startTestCluster(0);
    await redis('SET', key, 'of another program');
    const node = await cluster.add();
    await stands(node, 'apart', /another kind/);
    await worksHere(node);
    await redis('DEL', key);
    await stands(node, 'joined');
  });

  it('machines of a newer version, and machines with another secret', async () => {
    cluster = await startTestCluster(0);
    await redis('HSET', 'liminal:cluster', 'layout', '2');
    const node = await cluster.add();
    await stands(node, 'apart', /newer version \(layout 2, ours is 1\)/);
    await worksHere(node);
    await redis('DEL', 'liminal:cluster');
    await stands(node, 'joined');
    const stranger = await cluster.add({ config: { secret: 'a secret of their own' } });
    await stands(stranger, 'apart', /another LIMINAL_CLUSTER_SECRET/);
    expect(node.cluster.view().nodes.map(({ name }) => name)).toEqual([node.name]);
  });
});

describe('what others leave in Redis', () => {
  it('a key of another kind where a session should be: that session stays at home, the others go on', async () => {
    cluster = await startTestCluster(2);
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    // Ids of the scripted agent are counted.
    await redis('SET', 'liminal:session:node-1-1:items', 'of another program');
    await worksHere(node);
    await worksHere(node);
    const path = '/api/session/node-1-2/history';
    await vi.waitFor(async () => expect((await other.call('GET', path)).status).toBe(200), patience);
    await redis('DEL', 'liminal:session:node-1-1:items');
    await vi.waitFor(async () => {
      expect((await other.call('GET', '/api/session/node-1-1/history')).status).toBe(200);
    }, patience);
  });

  it('commands without our signature, of a newer version, or of no sense are answered or left undone', async () => {
    cluster = await startTestCluster(2);
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    const id = await node.newSession();
    const [nodeId, from] = [node.cluster.view().nodeId, other.cluster.view().nodeId];
    const seal = createSeal(testSecret);
    const replies: string[] = [];
    const order = async (version: string, name: string, args: unknown, isSigned = true): Promise<string> => {
      const [callId, list] = [randomUUID(), JSON.stringify(args)];
      const mac = isSigned ? seal.sign('command', nodeId, version, callId, from, name, list, '5000', '') : 'none';
      const fields = { v: version, id: callId, from, n: name, a: list, w: '5000', l: '', m: mac };
      await redis('XADD', `liminal:commands:${nodeId}`, '*', ...Object.entries(fields).flat());
      return callId;
    };
    const answered = async (callId: string): Promise<string> => {
      const entries = (await redis('XRANGE', `liminal:inbox:${from}`, '-', '+')) as [string, string[]][];
      const found = entries.map(([, fields]) => fields).find((fields) => fields.includes(callId));
      if (!found) throw new Error('no answer yet');
      return found[found.indexOf('b') + 1] ?? '';
    };
    const unsigned = await order('1', 'send', [id, { content: 'unsigned' }], false);
    await redis('XADD', `liminal:commands:${nodeId}`, '*', 'what', 'ever');
    const newer = await order('2', 'send', [id, { content: 'newer' }]);
    const unknown = await order('1', 'explode', [id]);
    const senseless = await order('1', 'send', [id, { content: 7 }]);
    for (const [callId, code] of [
      [newer, 'NOT_SUPPORTED'],
      [unknown, 'NOT_SUPPORTED'],
      [senseless, 'INVALID_REQUEST'],
    ] as const) {
      const body = await vi.waitFor(() => answered(callId), patience);
      expect(JSON.parse(body)).toMatchObject({ ok: false, failure: { code } });
      replies.push(body);
    }
    await expect(answered(unsigned)).rejects.toThrow('no answer yet');
    expect(node.provider.sent).toEqual([]);
    expect((await other.call('POST', `/api/session/${id}/send`, { content: 'signed' })).status).toBe(202);
  });

  it('changes of a newer version send readers for a history; what a newer machine lists is left out', async () => {
    cluster = await startTestCluster(2);
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    const id = await node.newSession();
    await cluster.settled();
    const reader = await connectReader({ port: other.port, token: testToken });
    reader.subscribe(id, 'append');
    await reader.until(id, (timeline) => timeline.cursor !== undefined);
    const [, seq] = (await redis('HMGET', `liminal:session:${id}:head`, 'epoch', 'seq')) as string[];
    const fields = [
      'p',
      String(seq),
      's',
      String(Number(seq) + 1),
      'k',
      '[]',
      'd',
      '[{"type":"session:dream","seq":1}]',
    ];
    await redis('XADD', `liminal:session:${id}:changes`, '*', ...fields);
    await vi.waitFor(() => expect(reader.counts.histories).toBe(2), patience);
    await redis('HSET', `liminal:directory:${node.cluster.view().nodeId}`, 'session:odd', '{"not":"a session"}');
    await node.call('PATCH', `/api/session/${id}`, { title: 'Still told' });
    await reader.until(id, (timeline) => timeline.info.title === 'Still told');
    expect([other.cluster.directory.get('odd'), reader.faults]).toEqual([undefined, []]);
    await reader.close();
  });
});
