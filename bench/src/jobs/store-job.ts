import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BenchHost, ItemRow } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { messageOf } from './open-turns.ts';

export type Way = 'single' | 'group' | 'growing' | 'ended' | 'bare single' | 'bare transaction';
export type Writes = { readonly way: Way; readonly rows: number };

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

  // The same table, indexes and durability, without anything of ours around it.
  const bare = new DatabaseSync(join(host.folder, 'bare.db'));
  bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE items (id INTEGER PRIMARY KEY, session_id TEXT NOT NULL, item_id TEXT NOT NULL, turn_id TEXT NOT NULL,
      "order" INTEGER NOT NULL, source_id TEXT, body TEXT NOT NULL, UNIQUE (session_id, item_id)) STRICT;
    CREATE INDEX items_by_turn ON items (session_id, turn_id, "order");
    CREATE INDEX items_by_order ON items (session_id, "order");
    CREATE INDEX items_by_source ON items (session_id, source_id) WHERE source_id IS NOT NULL;`);
  const insert = bare.prepare(
    'INSERT INTO items (session_id, item_id, turn_id, "order", source_id, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertRow = (row: ItemRow) =>
    insert.run(row.sessionId, row.itemId, row.turnId, row.order, row.sourceId, JSON.stringify(row.body));

  const behind = async (rows: readonly ItemRow[]) => {
    for (const row of rows) writer.put(row, false);
    await writer.flush();
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
    'bare transaction'(rows) {
      bare.exec('BEGIN');
      for (const row of rows) insertRow(row);
      bare.exec('COMMIT');
    },
  };

  await answerQuestions({
    /** Rows a second. */
    async write({ way, rows }: Writes): Promise<number> {
      const given = Array.from({ length: rows }, () => newRow(way === 'growing' ? 'update' : 'complete'));
      const began = performance.now();
      await ways[way](given);
      return rows / ((performance.now() - began) / 1000);
    },
  });
  await store.close();
  bare.close();
}
