import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HistoryPage } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectReader } from '../reliability/testing/folding-reader.ts';
import { patience } from '../reliability/testing/torture.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { testToken } from '../testing/test-server.ts';
import { connectRedis } from './redis/redis-client.ts';
import { startTestCluster, type TestCluster, type TestNode, testSecret } from './testing/test-cluster.ts';

let cluster: TestCluster;
const folders: string[] = [];
afterEach(async () => {
  await cluster.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Every key in Redis with its content. */
async function readAllOf(url: string): Promise<string> {
  const line = await connectRedis({ url, caFile: null });
  const found: unknown[] = [];
  for (const key of (await line.run(['KEYS', '*'])) as string[]) {
    const reads: Record<string, string[]> = {
      hash: ['HGETALL', key],
      stream: ['XRANGE', key, '-', '+'],
      zset: ['ZRANGE', key, '0', '-1'],
      string: ['GET', key],
    };
    const read = reads[String(await line.run(['TYPE', key]))];
    if (!read) throw new Error(`${key} is of a kind nobody expects`);
    found.push([key, await line.run(read)]);
  }
  line.destroy();
  return JSON.stringify(found);
}

const turns = 30;
const history = async (node: TestNode, sessionId: string, before?: string) =>
  (await node.call<HistoryPage>('GET', `/api/session/${sessionId}/history${before ? `?before=${before}` : ''}`)).body;
const whole = async (node: TestNode, sessionId: string): Promise<HistoryPage['entries']> => {
  const entries: HistoryPage['entries'] = [];
  let before: string | undefined;
  do {
    const page = await history(node, sessionId, before);
    entries.unshift(...page.entries);
    before = page.nextBefore ?? undefined;
  } while (before !== undefined);
  return entries;
};
async function talk(node: TestNode, sessionId: string, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    const before = node.provider.sent.length;
    await node.call('POST', `/api/session/${sessionId}/send`, { content: `question ${turn}` });
    await vi.waitFor(() => expect(node.provider.sent).toHaveLength(before + 1), patience);
    const turnId = node.provider.sent.at(-1)?.options?.turnId ?? '';
    node.provider.start(sessionId);
    node.provider.say(sessionId, `${turnId}:1:0`, `answer ${turn} `.repeat(40), 'complete');
    node.provider.end(sessionId);
  }
  await node.served.writer.flush();
}

describe('Redis is rebuilt from disk:', () => {
  it('everything returns after it lost all data, even sessions nobody has opened, over an intact connection', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'liminal-rebuild-'));
    folders.push(folder);
    const path = join(folder, 'node.sqlite');
    // Small pages, so there are several.
    const limits = { historyBytes: 4_096 };
    cluster = await startTestCluster(0);
    const first = await cluster.add({ store: openSqliteStore(path), limits, folder });
    const resting = await first.newSession();
    await talk(first, resting, turns);
    const truth = await whole(first, resting);
    expect(truth).toHaveLength(turns * 2);
    await first.close();
    await first.store.close();

    cluster = { ...cluster, nodes: [] };
    const provider = createScriptedProvider('scripted', {}, 'again');
    const again = await cluster.add({ store: openSqliteStore(path), limits, folder, provider });
    const other = await cluster.add({ limits });
    const live = await again.newSession();
    await talk(again, live, 3);
    const isComplete = () =>
      vi.waitFor(async () => {
        expect(await whole(other, resting)).toEqual(truth);
        expect(await whole(other, live)).toEqual(await whole(again, live));
      }, patience);
    await isComplete();
    expect(again.served.roster.all().map(({ shell }) => shell.sessionId)).toEqual([live]);

    const reader = await connectReader({ port: other.port, token: testToken });
    reader.subscribe(live, 'append');
    await reader.until(live, (timeline) => timeline.cursor !== undefined);
    const line = await connectRedis({ url: cluster.redis.url, caFile: null });
    await line.run(['FLUSHALL']);
    await isComplete();
    await again.call('PATCH', `/api/session/${live}`, { title: 'After all was lost' });
    await reader.until(live, (timeline) => timeline.info.title === 'After all was lost');
    expect(again.served.roster.all().map(({ shell }) => shell.sessionId)).toEqual([live]);
    expect(reader.faults).toEqual([]);
    await reader.close();
    line.destroy();
    await Promise.all([again.close(), other.close()]);
    await again.store.close();
  });
});

describe('access checks', () => {
  it('accept another machine’s token unless configured otherwise, and store no token in Redis', async () => {
    cluster = await startTestCluster(2);
    const [node] = cluster.nodes as [TestNode];
    const closed = await cluster.add({ config: { sharesTokens: false } });
    const own = 'another-token-of-sufficient-length';
    const shared = await cluster.add({ token: () => own });
    await cluster.settled();
    const status = async (at: TestNode, token: string) =>
      (await fetch(`http://127.0.0.1:${at.port}/api/projects`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    await vi.waitFor(async () => expect(await status(node, own)).toBe(200), patience);
    expect(await status(shared, testToken)).toBe(200);
    expect([await status(closed, own), await status(closed, testToken)]).toEqual([401, 200]);
    expect(await status(node, 'no token of anybody at all')).toBe(401);

    // Checked again after commands and replies have passed through Redis.
    const id = await node.newSession();
    await cluster.settled();
    expect((await shared.call('POST', `/api/session/${id}/send`, { content: 'a prompt' })).status).toBe(202);
    await cluster.settled();
    const everything = await readAllOf(cluster.redis.url);
    for (const known of ['tokenMark', 'a prompt', id]) expect(everything).toContain(known);
    for (const secret of [own, testToken, testSecret]) expect(everything).not.toContain(secret);
  });

  it('connects to Redis over TLS with a password', async () => {
    const file = (name: string) => fileURLToPath(new URL(`./testing/tls/${name}`, import.meta.url));
    const [cert, key] = [file('test-cert.pem'), file('test-key.pem')];
    const tls = [
      '--tls-cert-file',
      cert,
      '--tls-key-file',
      key,
      '--tls-ca-cert-file',
      cert,
      '--tls-auth-clients',
      'no',
    ];
    cluster = await startTestCluster(0, { password: 'word', tls });
    const redisUrl = cluster.redis.url;
    expect(redisUrl).toMatch(/^rediss:/);
    const unknown = await cluster.add({ config: { redisUrl } });
    await vi.waitFor(() => expect(unknown.cluster.view().reason).toMatch(/TLS|LIMINAL_REDIS_CA/), patience);
    const known = await cluster.add({ config: { redisUrl, redisCaFile: cert } });
    await vi.waitFor(() => expect(known.cluster.view().state).toBe('joined'), patience);
  });
});
