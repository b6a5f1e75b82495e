import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryPage, SendReply } from '@liminal/contracts';
import { foldOlderPage } from '@liminal/domain/timeline/fold-history';
import { textOf } from '@liminal/domain/items/item-text';
import { itemsInOrder } from '@liminal/domain/timeline/timeline';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { startTestServer, type TestServer, testToken } from '../testing/test-server.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { createRandom } from './testing/random.ts';
import { shown } from './testing/shown.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

let server: TestServer;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await server.close();
});
async function connect(port: number): Promise<FoldingReader> {
  const reader = await connectReader({ port, token: testToken });
  readers.push(reader);
  return reader;
}

async function turn(sessionId: string, pieces: readonly string[]): Promise<string> {
  const { provider } = server;
  const before = provider.sent.length;
  const { turnId } = (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content: 'go' })).body;
  await until(() => provider.sent.length > before);
  provider.start(sessionId);
  for (const [index, piece] of pieces.entries()) provider.say(sessionId, `${turnId}:${index + 1}:0`, piece, 'complete');
  provider.end(sessionId);
  return turnId;
}
const page = async (sessionId: string, query = ''): Promise<HistoryPage> =>
  (await server.call<HistoryPage>('GET', `/api/session/${sessionId}/history${query}`)).body;

describe(`a long history (seed ${seed})`, () => {
  it(
    'starts with the newest turns within its budget, and returns older ones page by page, complete, once and in order',
    async () => {
      const random = createRandom(seed);
      server = await startTestServer();
      const port = await server.served.listen();
      const sessionId = await server.newSession();
      const turns: string[] = [];
      for (let index = 0; index < scaled(150, 2_000); index += 1) {
        turns.push(
          await turn(
            sessionId,
            Array.from({ length: 1 + random.below(4) }, () => 'x'.repeat(random.below(6_000))),
          ),
        );
      }
      const reader = await connect(port);
      reader.subscribe(sessionId, 'append');
      await reader.until(sessionId, (timeline) => timeline.cursor !== undefined);
      const timeline = reader.timeline(sessionId);
      const firstBytes = JSON.stringify([...timeline.items.values()]).length;
      console.info(
        `first history: ${timeline.turnIds.length} of ${turns.length} turns, ${Math.round(firstBytes / 1024)} KB`,
      );
      expect(firstBytes).toBeGreaterThan(128 * 1024);
      expect(firstBytes).toBeLessThan(300 * 1024);
      expect(timeline.hasMore).toBe(true);
      expect(timeline.turnIds).toEqual(turns.slice(-timeline.turnIds.length));

      while (timeline.hasMore) {
        const size = random.chance(0.5) ? `&limit=${1 + random.below(20)}` : '';
        const older = await page(sessionId, `?before=${timeline.before}${size}`);
        expect(JSON.stringify(older.entries).length).toBeLessThan(600 * 1024);
        const orders = older.entries.map((entry) => entry.order ?? -1);
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
        foldOlderPage(timeline, older);
      }
      expect(timeline.turnIds).toEqual(turns);
      const perTurn = Map.groupBy(timeline.items.values(), (item) => item.turnId);
      for (const turnId of turns)
        expect(perTurn.get(turnId)?.[0]).toMatchObject({ itemId: `${turnId}:0:0`, origin: 'user' });
    },
    testTimeout,
  );

  it('returns one turn completely, however large it is', async () => {
    server = await startTestServer();
    const sessionId = await server.newSession();
    const small = await turn(sessionId, ['small']);
    const large = await turn(sessionId, ['y'.repeat(2_000_000), 'z'.repeat(10)]);
    const first = await page(sessionId);
    expect(first.turns.map((record) => record.turnId)).toEqual([large]);
    expect(first.entries).toHaveLength(3);
    expect(first.nextBefore).toBe(large);
    expect(await page(sessionId, `?before=${large}`)).toMatchObject({ turns: [{ turnId: small }], nextBefore: null });
  });

  it('rejects reading before an unknown turn or one that still waits', async () => {
    server = await startTestServer();
    const sessionId = await server.newSession();
    await server.call('POST', `/api/session/${sessionId}/send`, { content: 'runs' });
    const { turnId } = (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content: 'waits' }))
      .body;
    for (const before of ['none', turnId]) {
      const { status, body } = await server.call('GET', `/api/session/${sessionId}/history?before=${before}`);
      expect([status, body.error.code]).toEqual([404, 'TURN_NOT_FOUND']);
    }
  });
});

describe(`a history that is read while an agent streams (seed ${seed})`, () => {
  it(
    'matches what live readers have at that moment, however much of it is on disk',
    async () => {
      const random = createRandom(seed);
      const folder = mkdtempSync(join(tmpdir(), 'liminal-history-'));
      const store = openSqliteStore(join(folder, 'liminal.sqlite'));
      server = await startTestServer({ store, limits: { writeBehindMs: 3 } });
      const port = await server.served.listen();
      const sessionId = await server.newSession();
      await turn(sessionId, ['an earlier turn']);
      const live = await connect(port);
      live.subscribe(sessionId, 'append');
      const { provider } = server;
      const { turnId } = (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content: 'go' }))
        .body;
      await until(() => provider.sent.length === 2);
      provider.start(sessionId);
      const texts = new Map<string, string>();
      for (let step = 0; step < scaled(300, 20_000); step += 1) {
        const itemId = `${turnId}:${1 + random.below(3)}:0`;
        const [before, text] = [texts.get(itemId) ?? '', 'word '.repeat(1 + random.below(10))];
        texts.set(itemId, before + text);
        provider.say(sessionId, itemId, before + text, before === '' ? 'create' : 'update', {
          appendedFrom: before.length,
          text,
        });
        if (random.chance(0.2)) await new Promise(setImmediate);
        if (!random.chance(0.1)) continue;
        const said = new Map((await page(sessionId)).entries.map((entry) => [entry.itemId, textOf(entry)]));
        for (const [known, content] of texts) expect(said.get(known)).toBe(content);
      }
      const fresh = await connect(port);
      fresh.subscribe(sessionId, 'full');
      await fresh.until(sessionId, (timeline) => timeline.cursor !== undefined);
      const { seq } = fresh.timeline(sessionId).cursor!;
      await live.until(sessionId, (timeline) => (timeline.cursor?.seq ?? 0) >= seq);
      // The agent's output may fill the first page, so the earlier turn is on the next one.
      while (fresh.timeline(sessionId).hasMore) {
        foldOlderPage(fresh.timeline(sessionId), await page(sessionId, `?before=${fresh.timeline(sessionId).before}`));
      }
      expect(shown(live.timeline(sessionId))).toEqual(shown(fresh.timeline(sessionId)));

      const read = (await page(sessionId)).entries.map((entry) => [entry.itemId, textOf(entry)]);
      const held = itemsInOrder(fresh.timeline(sessionId)).map((item) => [item.itemId, textOf(item)]);
      expect(read).toEqual([...held].slice(-read.length));
      await server.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
    testTimeout,
  );
});
