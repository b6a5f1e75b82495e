import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { pageSecretHeader, socketProtocols } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { report } from '../reliability/testing/report.ts';
import { createTokenHolder, type TokenHolder } from '../reliability/testing/token-holder.ts';
import { patience, scaled, testTimeout } from '../reliability/testing/torture.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { commandVersion } from './commands/commands.ts';
import { connectRedis, type RedisConnection } from './redis/redis-client.ts';
import { createSeal } from './membership/seal.ts';
import { type Recorder, recordStream } from './testing/record-stream.ts';
import { startTestCluster, type TestCluster, type TestNode, testSecret } from './testing/test-cluster.ts';

let cluster: TestCluster;
let line: RedisConnection;
let replies: Recorder;
beforeEach(async () => {
  cluster = await startTestCluster(1);
  line = await connectRedis({ url: cluster.redis.url, caFile: null });
  replies = await recordStream(cluster.redis.url, 'inbox');
});
afterEach(async () => {
  replies.stop();
  line.destroy();
  await cluster.close();
});

const redis = (...args: string[]) => line.run(args);
const idOf = (node: TestNode): string => node.cluster.view().nodeId;
/** The reply to a command, of which this many were written. */
async function answerTo(callId: string, count = 1): Promise<unknown> {
  return vi.waitFor(() => {
    const found = replies.entries.filter((fields) => fields.includes(callId));
    if (found.length < count) throw new Error('no answer yet');
    const last = found.at(-1) ?? [];
    return JSON.parse(last[last.indexOf('b') + 1] ?? '') as unknown;
  }, patience);
}

describe('a command that is replayed into Redis', { timeout: testTimeout }, () => {
  const again = scaled(3, 50);

  it('is done once, while its machine runs and after it was restarted', async () => {
    const [asker] = cluster.nodes as [TestNode];
    const store = createMemoryStore();
    const first = await cluster.add({ store });
    const sessionId = await first.newSession();
    await cluster.settled();
    const recorder = await recordStream(cluster.redis.url, 'commands');
    const sent = await asker.call('POST', `/api/session/${sessionId}/send`, { content: 'once' });
    expect(sent.status).toBe(202);
    await asker.call('PATCH', `/api/session/${sessionId}`, { title: 'once' });
    await vi.waitFor(() => expect(recorder.entries.length).toBeGreaterThanOrEqual(2), patience);
    recorder.stop();
    const recorded = [...recorder.entries];
    const putBack = async (to: TestNode): Promise<void> => {
      for (const fields of recorded) await redis('XADD', `liminal:commands:${idOf(to)}`, '*', ...fields);
    };
    const callIds = recorded.map((fields) => fields[fields.indexOf('id') + 1] ?? '');

    for (let count = 0; count < again; count += 1) await putBack(first);
    for (const callId of callIds) expect(await answerTo(callId, again + 1)).toMatchObject({ ok: true });
    expect(first.provider.sent.map(({ message }) => message)).toEqual(['once']);

    await first.close();
    (cluster.nodes as TestNode[]).splice(1, 1);
    const second = await cluster.add({ store, folder: first.folder });
    await cluster.settled();
    expect(idOf(second)).toBe(idOf(first));
    await second.call('PATCH', `/api/session/${sessionId}`, { title: 'changed since' });
    await putBack(second);
    for (const callId of callIds) {
      expect(await answerTo(callId, again + 2)).toMatchObject({
        ok: false,
        failure: { code: 'NODE_UNREACHABLE' },
      });
    }
    expect(second.provider.sent).toEqual([]);
    expect(second.cluster.directory.get(sessionId)?.title).toBe('changed since');
    report('Replay', 'commands replayed through Redis', `${recorded.length * (again + 1)} replayed, 0 executed again`);
  });

  it('is not done if it was held back', async () => {
    const [owner] = cluster.nodes as [TestNode];
    const asker = await cluster.add();
    const sessionId = await owner.newSession();
    await cluster.settled();
    const { life } = JSON.parse(String(await redis('HGET', 'liminal:nodes', idOf(owner)))) as { life: string };
    const order = async (at: number): Promise<string> => {
      const [callId, version, args] = [
        randomUUID(),
        String(commandVersion),
        JSON.stringify([sessionId, { content: 'x' }]),
      ];
      const parts = [idOf(owner), version, callId, idOf(asker), 'send', args, '5000', life, String(at)];
      const mac = createSeal(testSecret).sign('command', ...parts);
      const [, , , from, n, a, w, l, signedAt] = parts;
      const fields = { v: version, id: callId, from, n, a, w, l, at: signedAt, m: mac };
      await redis('XADD', `liminal:commands:${idOf(owner)}`, '*', ...Object.entries(fields).flat().map(String));
      return callId;
    };
    const late = await order(Date.now() - 60_000);
    expect(await answerTo(late)).toMatchObject({ ok: false, failure: { code: 'NODE_UNREACHABLE' } });
    expect(owner.provider.sent).toEqual([]);
    expect(await answerTo(await order(Date.now()))).toMatchObject({ ok: true });
  });
});

describe('a token that was rotated on one machine', { timeout: testTimeout }, () => {
  let [here, there]: TokenHolder[] = [];
  let first: TestNode;
  let second: TestNode;
  beforeEach(async () => {
    [here, there] = [createTokenHolder(), createTokenHolder()];
    first = await cluster.add(here);
    second = await cluster.add(there);
    await cluster.settled();
  });
  const ask = (node: TestNode, path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(`http://127.0.0.1:${node.port}${path}`, { method, headers });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const signIn = async (node: TestNode, token: string): Promise<Record<string, string>> => {
    const reply = await ask(node, '/api/sign-in', bearer(token), 'POST');
    return { [pageSecretHeader]: ((await reply.json()) as { secret: string }).secret };
  };
  const status = async (node: TestNode, headers: Record<string, string>): Promise<number> =>
    (await ask(node, '/api/projects', headers)).status;
  const rotateFirst = () => ask(first, '/api/token/rotate', bearer(here?.token() ?? ''), 'POST');

  it('signs out the browsers that used it on another machine and closes their sockets; others stay', async () => {
    const visitor = await signIn(second, here?.token() ?? '');
    const neighbour = await signIn(second, there?.token() ?? '');
    expect([await status(second, visitor), await status(first, visitor)]).toEqual([200, 200]);
    const socket = new WebSocket(`ws://127.0.0.1:${second.port}/ws`, socketProtocols(visitor[pageSecretHeader] ?? ''), {
      origin: `http://127.0.0.1:${second.port}`,
    });
    await once(socket, 'open');
    const closed = once(socket, 'close') as Promise<[number]>;
    expect((await rotateFirst()).status).toBe(200);
    expect((await closed)[0]).toBe(4401);
    expect([await status(second, visitor), await status(first, visitor)]).toEqual([401, 401]);
    expect(await status(second, neighbour)).toBe(200);
  });

  it('doesn’t return with its machine’s old record, under its own name or another', async () => {
    const old = bearer(here?.token() ?? '');
    const visitor = await signIn(second, here?.token() ?? '');
    const record = String(await redis('HGET', 'liminal:nodes', idOf(first)));
    await rotateFirst();
    await vi.waitFor(async () => expect(await status(second, old)).toBe(401), patience);
    for (const [place, nodeId] of [idOf(first), 'another-node'].entries()) {
      await redis('ZADD', 'liminal:leases', String(Date.now() + 3_600_000), nodeId);
      await redis('HSET', 'liminal:nodes', nodeId, record);
      // Announces a complete list, as a machine does, so the others read the records again.
      const count = String(await redis('INCR', 'liminal:news:count'));
      await redis('XADD', 'liminal:news', '*', 'n', nodeId, 'k', '', 'd', '', 'c', count);
      await vi.waitFor(
        () =>
          expect(
            second.warnings.filter((warning) => warning.includes('whose entry has an invalid or outdated signature')),
          ).toHaveLength(place + 1),
        patience,
      );
      expect([await status(second, old), await status(second, visitor)]).toEqual([401, 401]);
    }
  });
});
