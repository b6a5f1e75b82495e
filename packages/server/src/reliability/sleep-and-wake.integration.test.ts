import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { mebibytes, printFigures } from './testing/figures.ts';
import type { FoldingReader } from './testing/folding-reader.ts';
import { bytesInUse } from './testing/heap.ts';
import { createRandom, type Random } from './testing/random.ts';
import { shown } from './testing/shown.ts';
import { type StoredServer, storedServers } from './testing/stored-server.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

const startServer = storedServers('asleep');
const missed = 10_000;
const rounds = scaled(1, 10);
const turnsAsleep = 20;
const itemsOfTurn = 10;
/** Pages large enough for all output, so a new reader gets the complete state, and an outbox that may overflow. */
const limits = { heartbeatMs: 3_600_000, historyBytes: 64 * 1024 * 1024, maxOutboxBytes: 128 * 1024 };

/** A turn of several items that grow alternately, a few words at a time. */
async function speak(server: StoredServer, sessionId: string, updates: number, random: Random): Promise<void> {
  const before = server.provider.sent.length;
  const { turnId } = (await server.call('POST', `/api/session/${sessionId}/send`, { content: 'go on' })).body;
  await until(() => server.provider.sent.length > before);
  server.provider.start(sessionId);
  const texts = Array.from({ length: itemsOfTurn }, () => '');
  for (let update = 0; update < updates; update += 1) {
    const place = random.below(itemsOfTurn);
    const [sent, text] = [texts[place]!, `word ${update} `.repeat(1 + random.below(3))];
    texts[place] = sent + text;
    const status = sent === '' ? 'create' : 'update';
    const how = { appendedFrom: sent.length, text };
    server.provider.say(sessionId, `${String(turnId)}:${place + 1}:0`, sent + text, status, how);
    await new Promise(setImmediate);
  }
  for (const [place, text] of texts.entries())
    server.provider.say(sessionId, `${String(turnId)}:${place + 1}:0`, text, 'complete');
  server.provider.end(sessionId);
}

describe(`a computer that sleeps while its agents keep working (seed ${seed})`, () => {
  it(
    'catches up on 10,000 missed updates without duplicates, whether or not its connection survived',
    async () => {
      const random = createRandom(seed);
      const server = await startServer({ limits });
      const { follow } = server;
      const sessionId = await server.newSession();
      const awake = await follow(sessionId, 'append');
      const cut = [await follow(sessionId, 'append'), await follow(sessionId, 'full')];
      const stuck = [await follow(sessionId, 'append'), await follow(sessionId, 'full')];
      const sleepers = [...cut, ...stuck];
      const heard = (some: readonly FoldingReader[]): number =>
        some.reduce((sum, reader) => sum + reader.counts.messages, 0);
      const caughtUp = { cut: -heard(cut), stuck: -heard(stuck) };
      let grown = 0;
      for (let round = 0; round < rounds; round += 1) {
        for (const reader of cut) reader.cut();
        for (const reader of stuck) reader.pause();
        const before = bytesInUse();
        for (let turn = 0; turn < turnsAsleep; turn += 1) await speak(server, sessionId, missed / turnsAsleep, random);
        grown = Math.max(grown, bytesInUse() - before);
        for (const reader of cut) await reader.connect();
        for (const reader of stuck) reader.resume();
        const title = `awake ${round}`;
        await server.call('PATCH', `/api/session/${sessionId}`, { title });
        for (const reader of [awake, ...sleepers])
          await reader.until(sessionId, ({ info, holes }) => info.title === title && holes.size === 0);
        const truth = await follow(sessionId, 'full');
        for (const reader of [awake, ...sleepers])
          expect(isDeepStrictEqual(shown(reader.timeline(sessionId)), shown(truth.timeline(sessionId)))).toBe(true);
      }
      caughtUp.cut += heard(cut);
      caughtUp.stuck += heard(stuck);
      const faults = server.readers.flatMap((reader) => reader.faults);
      printFigures('sleep and wake', {
        wakes: rounds * sleepers.length,
        'missed updates each time': missed,
        'messages to catch up after a cut connection': Math.round(caughtUp.cut / rounds / cut.length),
        'after a stalled connection': Math.round(caughtUp.stuck / rounds / stuck.length),
        'lost, duplicated or out of order': faults.length,
        'memory growth at most': mebibytes(grown),
      });
      expect(faults).toEqual([]);
      // A reader that was asleep gets states, not the steps in between.
      expect(caughtUp.cut / cut.length).toBeLessThan((missed * rounds) / 10);
      expect(caughtUp.stuck / stuck.length).toBeLessThan(missed * rounds);
    },
    testTimeout,
  );
});
