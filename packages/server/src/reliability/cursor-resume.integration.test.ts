import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemsInOrder } from '@liminal/domain/timeline/timeline';
import { textOf } from '@liminal/domain/timeline/item-text';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { startTestServer, type TestServer, testToken } from '../testing/test-server.ts';
import { type BusySession, createBusySession } from './testing/busy-session.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { mebibytes, printFigures } from './testing/figures.ts';
import { bytesInUse } from './testing/heap.ts';
import { createRandom, type Random } from './testing/random.ts';
import { shown } from './testing/shown.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';

const sessionCount = scaled(6, 200);
const readerCount = scaled(8, 200);
const readersOfEach = scaled(5, 20);
const steps = scaled(3_500, 40_000);

const folder = mkdtempSync(join(tmpdir(), 'liminal-cuts-'));
let store: Store;
let server: TestServer;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await server.close();
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const encodings = ['full', 'append'] as const;

/** One of the things that happen to the connections of browsers. */
async function disturb(reader: FoldingReader, random: Random): Promise<void> {
  if (random.chance(0.2)) return random.chance(0.5) ? reader.pause() : reader.resume();
  reader.cut();
  await reader.connect();
}

describe(`browsers whose connections break (seed ${seed})`, () => {
  it(
    'end up with the truth, whatever was cut when: nothing lost, nothing twice, order kept, numbers rising',
    async () => {
      const random = createRandom(seed);
      // Small limits, so that falling behind and starting over from a history happens as well.
      store = openSqliteStore(join(folder, 'liminal.sqlite'));
      // None of the agents is put to sleep: that would go on changing the truth after the end.
      server = await startTestServer({
        store,
        maxLiveAgents: sessionCount,
        // A reader that stands still for long would be let go, and these do not come back by themselves.
        limits: { historyBytes: 64 * 1024 * 1024, maxOutboxBytes: 48 * 1024, heartbeatMs: 3_600_000 },
      });
      const address = { port: await server.served.listen(), token: testToken };
      const sessions: BusySession[] = [];
      for (let index = 0; index < sessionCount; index += 1) sessions.push(await createBusySession(server, random));
      for (let index = 0; index < readerCount; index += 1) readers.push(await connectReader(address));
      for (const { sessionId } of sessions) {
        const others = [...readers];
        for (let count = 0; count < readersOfEach; count += 1)
          others.splice(random.below(others.length), 1)[0]?.subscribe(sessionId, random.pick(encodings));
      }
      const [before, began] = [bytesInUse(), performance.now()];
      const followed = (reader: FoldingReader) => sessions.filter(({ sessionId }) => reader.follows(sessionId));

      for (let step = 0; step < steps; step += 1) {
        await random.pick(sessions).step();
        if (random.chance(0.03)) await disturb(random.pick(readers), random);
        if (random.chance(0.8)) await new Promise(setImmediate);
      }
      const [grown, took] = [bytesInUse() - before, performance.now() - began];
      for (const reader of readers) reader.resume();
      for (const session of sessions) await session.finish('the end');

      for (const { sessionId, said } of sessions) {
        const fresh = await connectReader(address);
        readers.push(fresh);
        fresh.subscribe(sessionId, 'full');
        await fresh.until(sessionId, (timeline) => timeline.cursor !== undefined);
        const truth = fresh.timeline(sessionId);
        for (const item of said.values()) {
          const shown = truth.items.get(item.itemId);
          expect(shown && [shown.status, textOf(shown)]).toEqual([item.status, textOf(item)]);
        }
        const orders = [...itemsInOrder(truth)].map((item) => item.order ?? -1);
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
        for (const reader of readers.filter((one) =>
          followed(one).some((session) => session.sessionId === sessionId),
        )) {
          await reader.until(sessionId, (timeline) => timeline.info.title === 'the end' && timeline.holes.size === 0);
          expect(shown(reader.timeline(sessionId))).toEqual(shown(truth));
        }
      }
      const faults = readers.flatMap((reader) => reader.faults);
      const total = (name: keyof FoldingReader['counts']) =>
        readers.reduce((sum, reader) => sum + reader.counts[name], 0);
      printFigures('sockets cut', {
        sessions: sessionCount,
        'readers of each': readersOfEach,
        steps,
        for: `${Math.round(took / 1000)} s`,
        messages: total('messages'),
        'resumed ok': total('resumedOk'),
        'resumed with a gap': total('resumedGap'),
        histories: total('histories'),
        'holes asked': total('holes'),
        'lost, twice or out of order': faults.length,
        // Server, readers and the record of what was said live in one process.
        'grown with all readers': mebibytes(grown),
      });
      expect(faults).toEqual([]);
      expect(total('resumedOk')).toBeGreaterThan(50);
    },
    testTimeout,
  );
});
