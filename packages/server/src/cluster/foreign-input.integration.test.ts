import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { patience } from '../reliability/testing/torture.ts';
import { connectReader } from '../reliability/testing/folding-reader.ts';
import { testToken } from '../testing/test-server.ts';
import { commandVersion } from './commands/commands.ts';
import { createSeal } from './membership/seal.ts';
import { setBadRedis, stands, worksHere } from './testing/bad-redis.ts';
import { recordStream } from './testing/record-stream.ts';
import { startTestCluster, type TestNode, testSecret } from './testing/test-cluster.ts';

const { use, redis, deleteStream } = setBadRedis();

describe('foreign data in Redis:', () => {
  it('a key of another type in place of a session’s changes is reported once, and other sessions continue', async () => {
    const cluster = await use(startTestCluster(2));
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    // The scripted agent numbers its session ids.
    await redis('SET', 'liminal:session:node-1-1:changes', 'of another program');
    await worksHere(node);
    await worksHere(node);
    const path = '/api/session/node-1-2/history';
    await vi.waitFor(async () => expect((await other.call('GET', path)).status).toBe(200), patience);
    const said = () =>
      node.warnings.filter((sentence) =>
        /^Other machines don't get every update\. .* an unexpected type/.test(sentence),
      );
    await vi.waitFor(() => expect(said()).toHaveLength(1), patience);
    await redis('DEL', 'liminal:session:node-1-1:changes');
    await vi.waitFor(async () => {
      expect((await other.call('GET', '/api/session/node-1-1/history')).status).toBe(200);
    }, patience);
    // Retried many times, but logged once.
    expect(said()).toHaveLength(1);
  });

  it('another program overwriting a followed session’s changes affects only that session, which recovers', async () => {
    const cluster = await use(startTestCluster(2));
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    const [harmed, sound] = [await node.newSession(), await node.newSession()];
    await cluster.settled();
    const reader = await connectReader({ port: other.port, token: testToken });
    for (const id of [harmed, sound]) {
      reader.subscribe(id, 'append');
      await reader.until(id, (timeline) => timeline.cursor !== undefined);
    }
    const rename = (id: string, title: string) => node.call('PATCH', `/api/session/${id}`, { title });
    await redis('SET', `liminal:session:${harmed}:changes`, 'of another program');
    for (const title of ['first', 'second']) {
      await rename(harmed, title);
      await rename(sound, title);
      await reader.until(sound, (timeline) => timeline.info.title === title);
      expect((await other.call('POST', `/api/session/${sound}/cancel`)).status).not.toBe(503);
    }
    await redis('DEL', `liminal:session:${harmed}:changes`);
    await reader.until(harmed, (timeline) => timeline.info.title === 'second');
    await rename(harmed, 'third');
    await reader.until(harmed, (timeline) => timeline.info.title === 'third');
    expect(reader.faults).toEqual([]);
    await reader.close();
  });

  it.each(['inbox', 'commands'])('another program overwriting our %s is reported and repaired', async (name) => {
    const cluster = await use(startTestCluster(2));
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    const id = await node.newSession();
    await cluster.settled();
    const harmed = name === 'inbox' ? other : node;
    const key = `liminal:${name}:${harmed.cluster.view().nodeId}`;
    await redis('SET', key, 'of another program');
    await stands(harmed, 'apart', /an unexpected type/);
    await worksHere(harmed);
    await redis('DEL', key);
    await cluster.settled();
    expect((await other.call('POST', `/api/session/${id}/send`, { content: 'again' })).status).toBe(202);
  });

  it('a command stream deleted at runtime is created again', async () => {
    const cluster = await use(startTestCluster(2));
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    const id = await node.newSession();
    await cluster.settled();
    await deleteStream(`liminal:commands:${node.cluster.view().nodeId}`);
    await vi.waitFor(async () => {
      expect((await other.call('POST', `/api/session/${id}/cancel`)).status).not.toBe(503);
    }, patience);
  });

  it('commands that are unsigned, too new or malformed are answered or ignored', async () => {
    const cluster = await use(startTestCluster(2));
    const [node, other] = cluster.nodes as [TestNode, TestNode];
    const id = await node.newSession();
    await cluster.settled();
    const [nodeId, from] = [node.cluster.view().nodeId, other.cluster.view().nodeId];
    const seal = createSeal(testSecret);
    const recorded = await recordStream(cluster.redis.url, 'inbox');
    onTestFinished(() => recorded.stop());
    const { life } = JSON.parse(String(await redis('HGET', 'liminal:nodes', nodeId))) as { life: string };
    const [current, next] = [String(commandVersion), String(commandVersion + 1)];
    const order = async (version: string, name: string, args: unknown, isSigned = true): Promise<string> => {
      const [callId, list] = [randomUUID(), JSON.stringify(args)];
      const at = String(Date.now());
      const parts = ['command', nodeId, version, callId, from, name, list, '5000', life, at];
      const mac = isSigned ? seal.sign(...parts) : 'none';
      const fields = { v: version, id: callId, from, n: name, a: list, w: '5000', l: life, at, m: mac };
      await redis('XADD', `liminal:commands:${nodeId}`, '*', ...Object.entries(fields).flat());
      return callId;
    };
    const answered = (callId: string): string => {
      const found = recorded.entries.find((fields) => fields.includes(callId));
      if (!found) throw new Error('no answer yet');
      return found[found.indexOf('b') + 1] ?? '';
    };
    const unsigned = await order(current, 'send', [id, { content: 'unsigned' }], false);
    await redis('XADD', `liminal:commands:${nodeId}`, '*', 'what', 'ever');
    const newer = await order(next, 'send', [id, { content: 'newer' }]);
    const unknown = await order(current, 'explode', [id]);
    const senseless = await order(current, 'send', [id, { content: 7 }]);
    for (const [callId, code] of [
      [newer, 'NOT_SUPPORTED'],
      [unknown, 'NOT_SUPPORTED'],
      [senseless, 'INVALID_REQUEST'],
    ] as const) {
      const body = await vi.waitFor(() => answered(callId), patience);
      expect(JSON.parse(body)).toMatchObject({ ok: false, failure: { code } });
    }
    expect(() => answered(unsigned)).toThrow('no answer yet');
    // The one without fields is reported too, if it is read in the same millisecond: nobody waits for it any longer.
    expect([...new Set(node.warnings)].toSorted()).toEqual([
      'ignored a command from a newer version; update this machine',
      'ignored a command with an invalid signature',
    ]);
    expect(node.provider.sent).toEqual([]);
    expect((await other.call('POST', `/api/session/${id}/send`, { content: 'signed' })).status).toBe(202);
  });

  it('changes of a newer version make readers load a history, and its listings are left out', async () => {
    const cluster = await use(startTestCluster(2));
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
    expect(other.warnings).toEqual(["node-1 sends updates that this version doesn't support. Update this machine."]);
    await redis('HSET', `liminal:directory:${node.cluster.view().nodeId}`, 'session:odd', '{"not":"a session"}');
    await node.call('PATCH', `/api/session/${id}`, { title: 'Still published' });
    await reader.until(id, (timeline) => timeline.info.title === 'Still published');
    expect([other.cluster.directory.get('odd'), reader.faults]).toEqual([undefined, []]);
    await reader.close();
  });
});
