import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchWords } from '@liminal/domain/search/find-words';
import { expect, it } from 'vitest';
import { searchContract } from '../search.contract.ts';
import { itemRow, turnRow } from '../testing/sample-rows.ts';
import { sessionsMigration } from './migrations/001-sessions.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'liminal-search-'));

searchContract('sqlite', async () => {
  const folder = newFolder();
  return {
    store: openSqliteStore(join(folder, 'test.sqlite')),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

it('finds items an older build wrote, after an update, and skips a broken row', async () => {
  const folder = newFolder();
  const path = join(folder, 'old.sqlite');
  const database = openDatabase(path);
  migrate(database, [sessionsMigration]);
  const insert = database.prepare(
    'INSERT INTO items (session_id, item_id, turn_id, "order", body) VALUES (?, ?, ?, ?, ?)',
  );
  const growing = (text: string) => JSON.stringify({ ...itemRow('t', 0, text).body, status: 'update' });
  insert.run('s', 'done', 't', 0, JSON.stringify(itemRow('t', 0, 'needle').body));
  insert.run('s', 'broken', 't', 1, '{"content":"needle');
  insert.run('s', 'growing', 't', 2, growing('needle'));
  insert.run('s', 'stopped', 'c', 3, growing('needle'));
  const turn = database.prepare(
    'INSERT INTO turns (session_id, turn_id, state, position, body) VALUES (?, ?, ?, ?, ?)',
  );
  turn.run('s', 'c', 'cancelled', 0, JSON.stringify(turnRow('c', { state: 'cancelled' })));
  database.close();
  const store = openSqliteStore(path);
  const search = { words: searchWords('needle'), limit: 9, perSession: 9, isWanted: () => true };
  expect(store.searchItems(search).map(({ itemId }) => itemId)).toEqual(['stopped', 'done']);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
