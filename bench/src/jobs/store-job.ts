import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BenchHost, ItemRow } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { messageOf } from './open-turns.ts';

export type Way = 'single' | 'group' | 'growing' | 'ended' | 'bare single' | 'bare growing' | 'bare ended';
export type Writes = { readonly way: Way; readonly rows: number };

/** Of items that still grow; ended ones are also added to the search index. */
const growing: ReadonlySet<Way> = new Set<Way>(['growing', 'bare growing']);
const content = 'What an agent said in a paragraph of usual length, kept as one row of the table of items. '.repeat(6);

export async function run(host: BenchHost): Promise<void> {
  const store = host.openStore(join(host.folder, 'ours.db'));
  const writer = host.createItemWriter({ store, intervalMs: 1_000_000, onError: (error) => console.error(error) });
  let made = 0;
  const newRow = (status: 'complete' | 'update'): ItemRow => {
    made += 1;
    const turn = { sessionId: 's1', turnId: `t${Math.floor(made / 20)}` };
    const itemId = `${turn.turnId}:1:${made}`;
    return {
      ...turn,
      itemId,
      order: made,
      sourceId: null,
      change: null,
      body: messageOf(turn, itemId, content, status),
    };
  };
  const write = (row: ItemRow) => store.write([{ type: 'put-item', row }]);

  // The same tables, indexes and durability without our code: created by the store, then used directly.
  const barePath = join(host.folder, 'bare.db');
  await host.openStore(barePath).close();
  const bare = new DatabaseSync(barePath);
  bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const insert = bare.prepare(
    'INSERT INTO items (session_id, item_id, turn_id, "order", source_id, epoch, seq, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertRow = ({ sessionId, itemId, turnId, order, sourceId, body }: ItemRow) =>
    insert.run(sessionId, itemId, turnId, order, sourceId, null, null, JSON.stringify(body));

  const behind = async (rows: readonly ItemRow[]) => {
    for (const row of rows) writer.put(row, false);
    await writer.flush();
  };
  const together = (rows: readonly ItemRow[]) => {
    bare.exec('BEGIN');
    for (const row of rows) insertRow(row);
    bare.exec('COMMIT');
  };
  const ways: Record<Way, (rows: readonly ItemRow[]) => Promise<unknown> | void> = {
    async single(rows) {
      for (const row of rows) await write(row);
    },
    group: (rows) => Promise.all(rows.map(write)),
    growing: behind,
    ended: behind,
    'bare single'(rows) {
      for (const row of rows) insertRow(row);
    },
    'bare growing': together,
    'bare ended': together,
  };

  await answerQuestions({
    /** Rows per second. */
    async write({ way, rows }: Writes): Promise<number> {
      const given = Array.from({ length: rows }, () => newRow(growing.has(way) ? 'update' : 'complete'));
      const began = performance.now();
      await ways[way](given);
      return rows / ((performance.now() - began) / 1000);
    },
  });
  await store.close();
  bare.close();
}
