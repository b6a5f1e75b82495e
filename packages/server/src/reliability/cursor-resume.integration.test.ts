import { itemsInOrder } from '@liminal/domain/timeline/timeline';
import { textOf } from '@liminal/domain/items/item-text';
import { describe, expect, it } from 'vitest';
import { type BusySession, createBusySession } from './testing/busy-session.ts';
import type { FoldingReader } from './testing/folding-reader.ts';
import { mebibytes, printFigures } from './testing/figures.ts';
import { bytesInUse } from './testing/heap.ts';
import { createRandom, type Random } from './testing/random.ts';
import { shown } from './testing/shown.ts';
import { storedServers } from './testing/stored-server.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';

const sessionCount = scaled(6, 200);
const readerCount = scaled(8, 200);
const readersOfEach = scaled(5, 20);
const steps = scaled(3_500, 40_000);

const startServer = storedServers('cuts');
const encodings = ['full', 'append'] as const;

/** One of the things that happen to browsers' connections. */
async function disturb(reader: FoldingReader, random: Random): Promise<void> {
  if (random.chance(0.2)) return random.chance(0.5) ? reader.pause() : reader.resume();
  reader.cut();
  await reader.connect();
}

describe(`browsers whose connections break (seed ${seed})`, () => {
  it(
    'end up with the server’s state: nothing lost or duplicated, in order, with rising numbers',
    async () => {
      const random = createRandom(seed);
      const server = await startServer({
        // No agent is put to sleep, because that would change the state after the end.
        maxLiveAgents: sessionCount,
        // Small limits, so readers also fall behind and start over from a history. A reader that stalls for long would
        // be disconnected, and these don't reconnect by themselves.
        limits: { historyBytes: 64 * 1024 * 1024, maxOutboxBytes: 48 * 1024, heartbeatMs: 3_600_000 },
      });
      const { readers } = server;
      const sessions: BusySession[] = [];
      for (let index = 0; index < sessionCount; index += 1) sessions.push(await createBusySession(server, random));
      for (let index = 0; index < readerCount; index += 1) await server.connect();
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
        const truth = (await server.follow(sessionId, 'full')).timeline(sessionId);
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
        'subscribers per session': readersOfEach,
        steps,
        duration: `${Math.round(took / 1000)} s`,
        messages: total('messages'),
        'resumed ok': total('resumedOk'),
        'resumed with a gap': total('resumedGap'),
        histories: total('histories'),
        'gaps requested': total('holes'),
        'lost, duplicated or out of order': faults.length,
        // Server, readers and the expected state share one process.
        'memory growth including all subscribers': mebibytes(grown),
      });
      expect(faults).toEqual([]);
      expect(total('resumedOk')).toBeGreaterThan(50);
    },
    testTimeout,
  );
});
