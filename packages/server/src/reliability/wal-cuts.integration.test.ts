import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoreWrite } from '../store/rows.ts';
import { openReader } from '../store/sqlite/open-database.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { itemRow, sessionRow, turnRow } from '../store/testing/sample-rows.ts';
import type { Store } from '../store/store.ts';
import { integrityOf } from './testing/check-database.ts';
import { printFigures } from './testing/figures.ts';
import { createRandom, type Random } from './testing/random.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';

const folder = temporaryFolder('wal');
const frameBytes = 4096 + 24;
const headerBytes = 32;

/** A message and its answer in one write. The length identifies the write. */
function exchange(place: number, length: number): StoreWrite[] {
  const turnId = `t${place}`;
  return [
    { type: 'put-turn', row: turnRow(turnId, { state: 'completed', position: place }) },
    { type: 'put-client-message', sessionId: 's', clientMessageId: `c${place}`, turnId },
    { type: 'put-item', row: itemRow(`${turnId}:0:0`, 2 * place, `question ${place}`) },
    { type: 'put-item', row: itemRow(`${turnId}:1:0`, 2 * place + 1, 'x'.repeat(length)) },
  ];
}

/** How many parts of a write exist, and whether they are intact. */
function partsOf(store: Store, place: number, length: number): number {
  const turnId = `t${place}`;
  const items = store.itemsOfTurn('s', turnId);
  const answer = items.find(({ itemId }) => itemId === `${turnId}:1:0`)?.body;
  const parts = [
    store.turn('s', turnId)?.position === place,
    store.turnOfClientMessage('s', `c${place}`) === turnId,
    items.some(({ itemId }) => itemId === `${turnId}:0:0`),
    answer?.type === 'message' && answer.content.length === length,
  ];
  return parts.filter(Boolean).length;
}

/** The log without its reserved part: only frames that were written have the salt of the header. */
function writtenLog(path: string): Buffer {
  const log = readFileSync(`${path}-wal`);
  const salt = log.subarray(16, 24);
  let end = headerBytes;
  while (log.subarray(end + 8, end + 16).equals(salt)) end += frameBytes;
  return log.subarray(0, end);
}

/** Anywhere, or around a frame boundary, where a crash most likely cuts the log. */
function cutAt(size: number, random: Random): number {
  if (random.chance(0.5)) return random.below(size + 1);
  const frame = headerBytes + random.below(Math.floor((size - headerBytes) / frameBytes) + 1) * frameBytes;
  return Math.min(size, Math.max(0, frame + random.pick([-1, 0, 1, 24])));
}

describe(`the write-ahead log cut anywhere (seed ${seed})`, () => {
  it(
    'keeps everything before the cut intact and in order, nothing after it, and stays writable',
    async () => {
      const random = createRandom(seed);
      const [cuts, writes] = [scaled(25, 1_000), 40];
      const path = join(folder, 'whole.sqlite');
      await openSqliteStore(path).close();
      const main = readFileSync(path);
      const store = openSqliteStore(path);
      // This open read prevents checkpoints. After one, cutting the log would have no effect.
      const reader = openReader(path);
      reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema;');
      await store.write([{ type: 'put-session', row: sessionRow('s') }]);
      /** The end of the log when each write was acknowledged. */
      const acknowledgedAt: number[] = [];
      const lengths: number[] = [];
      for (let place = 0; place < writes; place += 1) {
        lengths.push(10 + random.below(3_000));
        await store.write(exchange(place, lengths[place]!));
        acknowledgedAt.push(writtenLog(path).length);
      }
      const log = writtenLog(path);
      expect(readFileSync(path).equals(main)).toBe(true);
      reader.close();
      await store.close();

      const counts = { lost: 0, half: 0, damaged: 0, unwritable: 0 };
      for (let cut = 0; cut < cuts; cut += 1) {
        const at = cutAt(log.length, random);
        const place = join(folder, `cut-${cut}`);
        mkdirSync(place);
        const copy = join(place, 'liminal.sqlite');
        writeFileSync(copy, main);
        // Some file systems restore the length, but not the bytes.
        const rest = random.chance(0.3) ? Buffer.alloc(log.length - at) : Buffer.alloc(0);
        writeFileSync(`${copy}-wal`, Buffer.concat([log.subarray(0, at), rest]));
        const opened = openSqliteStore(copy);
        if (integrityOf(copy) !== 'ok') counts.damaged += 1;
        const parts = lengths.map((length, index) => partsOf(opened, index, length));
        const kept = parts.findIndex((count) => count !== 4);
        const whole = kept === -1 ? parts.length : kept;
        if (parts.slice(whole).some((count) => count !== 0)) counts.half += 1;
        counts.lost += Math.max(0, acknowledgedAt.filter((end) => end <= at).length - whole);
        await opened.write(exchange(writes, 7));
        if (partsOf(opened, writes, 7) !== 4 || opened.skippedRows() > 0) counts.unwritable += 1;
        await opened.close();
        rmSync(place, { recursive: true });
      }
      printFigures('write-ahead log cut', {
        cuts,
        'acknowledged writes lost': counts.lost,
        'partial writes': counts.half,
        damaged: counts.damaged,
        'not writable afterwards': counts.unwritable,
      });
      expect(counts).toEqual({ lost: 0, half: 0, damaged: 0, unwritable: 0 });
    },
    testTimeout,
  );
});
