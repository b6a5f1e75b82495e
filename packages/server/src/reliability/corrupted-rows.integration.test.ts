import { join } from 'node:path';
import type { HistoryPage } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import type { StoreWrite } from '../store/rows.ts';
import { type Database, openDatabase } from '../store/sqlite/open-database.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { checkpointRow, itemRow, projectRow, sessionRow, turnRow } from '../store/testing/sample-rows.ts';
import type { Store } from '../store/store.ts';
import { startTestServer } from '../testing/test-server.ts';
import { integrityOf } from './testing/check-database.ts';
import { printFigures } from './testing/figures.ts';
import { createRandom, type Random } from './testing/random.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';

const folder = temporaryFolder('corrupted');
const at = '2026-01-01T00:00:00.000Z';
const corrupted = 1_000;
const sessionCount = scaled(60, 400);
const turnsPerSession = 10;
const sessionIds = Array.from({ length: sessionCount }, (_, index) => `s${index}`);

function writesOf(sessionId: string): StoreWrite[] {
  const turns = Array.from({ length: turnsPerSession }, (_, position) => `${sessionId}t${position}`);
  return [
    { type: 'put-session', row: { ...sessionRow(sessionId), cliType: 'scripted' } },
    { type: 'put-setting', key: `setting ${sessionId}`, value: { of: sessionId } },
    {
      type: 'add-decision',
      decision: {
        sessionId,
        requestId: `${sessionId}r`,
        turnId: turns[0]!,
        title: 'ls',
        outcome: 'answered',
        optionId: 'yes',
        by: 'person',
        at,
      },
    },
    ...turns.flatMap((turnId, position): StoreWrite[] => {
      const items = [itemRow(`${turnId}:0:0`, 2 * position), itemRow(`${turnId}:1:0`, 2 * position + 1)];
      return [
        { type: 'put-turn', row: turnRow(turnId, { sessionId, state: 'completed', position }) },
        { type: 'put-checkpoint', row: checkpointRow(turnId, { sessionId }) },
        ...items.map((row) => ({ type: 'put-item', row: { ...row, sessionId } }) as const),
      ];
    }),
  ];
}

const tables = [
  { table: 'projects', id: 'project_id', column: 'body' },
  { table: 'sessions', id: 'session_id', column: 'body' },
  { table: 'turns', id: 'id', column: 'body' },
  { table: 'items', id: 'id', column: 'body' },
  { table: 'checkpoints', id: 'rowid', column: 'body' },
  { table: 'decisions', id: 'id', column: 'body' },
  { table: 'settings', id: 'key', column: 'value' },
] as const;

/** Something no version can have written: truncated, of another type, or not text at all. */
function damage(text: string, table: string, random: Random): string {
  const unreadable = [
    text.slice(0, 1 + random.below(text.length - 1)),
    `${text.slice(0, random.below(text.length))}\u0000${text.slice(-3)}x`,
    `x${text}`,
    '',
  ];
  // A setting may be any JSON, so only invalid JSON is damage there.
  return random.pick(table === 'settings' ? unreadable : [...unreadable, '[]', '{}', 'null', '42', '"text"']);
}

/** Every row of the store, read once. */
function readAll(store: Store): { keys: Set<string>; skipped: number } {
  const before = store.skippedRows();
  const keys = new Set<string>();
  for (const { projectId } of store.projects()) keys.add(`projects ${projectId}`);
  for (const { sessionId } of store.sessions()) keys.add(`sessions ${sessionId}`);
  for (const sessionId of sessionIds) {
    for (const { turnId } of store.turnsBefore(sessionId, null, 1_000)) keys.add(`turns ${turnId}`);
    for (let position = 0; position < turnsPerSession; position += 1)
      for (const { itemId } of store.itemsOfTurn(sessionId, `${sessionId}t${position}`)) keys.add(`items ${itemId}`);
    for (const { turnId } of store.checkpoints(sessionId)) keys.add(`checkpoints ${turnId}`);
    for (const { requestId } of store.decisions(sessionId)) keys.add(`decisions ${requestId}`);
    if (store.setting(`setting ${sessionId}`) !== undefined) keys.add(`settings ${sessionId}`);
  }
  return { keys, skipped: store.skippedRows() - before };
}

function corrupt(database: Database, random: Random): Map<string, number> {
  const rows = tables.flatMap((table) =>
    database
      .prepare(`SELECT ${table.id} AS id, ${table.column} AS text FROM ${table.table}`)
      .all()
      .map((row) => ({ ...table, key: row['id'] as string | number, text: String(row['text']) })),
  );
  const counts = new Map<string, number>();
  for (let left = corrupted; left > 0; left -= 1) {
    const [row] = rows.splice(random.below(rows.length), 1);
    if (!row) break;
    const sql = `UPDATE ${row.table} SET ${row.column} = CAST(? AS TEXT) WHERE ${row.id} = ?`;
    database.prepare(sql).run(damage(row.text, row.table, random), row.key);
    counts.set(row.table, (counts.get(row.table) ?? 0) + 1);
  }
  return counts;
}

describe(`corrupted rows (seed ${seed})`, () => {
  it(
    'are all skipped and counted, and the server serves every other row',
    async () => {
      const random = createRandom(seed);
      const path = join(folder, 'liminal.sqlite');
      let store = openSqliteStore(path);
      await store.write([{ type: 'put-project', row: projectRow('p') }]);
      for (const sessionId of sessionIds) await store.write(writesOf(sessionId));
      const whole = readAll(store);
      expect(whole.skipped).toBe(0);
      await store.close();
      const database = openDatabase(path);
      const counts = corrupt(database, random);
      database.close();

      store = openSqliteStore(path);
      const rest = readAll(store);
      const missing = [...whole.keys].filter((key) => !rest.keys.has(key));
      const missingOf = Map.groupBy(missing, (key) => key.split(' ', 1)[0]!);
      for (const { table } of tables)
        expect([table, missingOf.get(table)?.length ?? 0]).toEqual([table, counts.get(table) ?? 0]);
      expect(rest.skipped).toBe(corrupted);

      const checkpoints = [...rest.keys].filter((key) => key.startsWith('checkpoints '));
      expect(store.checkpointSizes()).toHaveLength(checkpoints.length);

      const server = await startTestServer({ store });
      let failed = 0;
      for (const { sessionId } of store.sessions()) {
        const page = await server.call<HistoryPage>('GET', `/api/session/${sessionId}/history`);
        const audit = await server.call('GET', `/api/session/${sessionId}/audit`);
        const sent = await server.call('POST', `/api/session/${sessionId}/send`, { content: 'still there?' });
        if (page.status !== 200 || audit.status !== 200 || sent.status >= 500) failed += 1;
      }
      expect((await server.call('GET', '/api/search?q=text')).status).toBe(200);
      expect((await server.call('GET', '/api/checkpoints')).status).toBe(200);
      await server.close();
      await store.close();
      const integrity = integrityOf(path);
      printFigures('corrupted rows', {
        corrupted,
        'skipped and counted': rest.skipped,
        'other rows lost': missing.length - corrupted,
        'requests failed': failed,
        integrity,
      });
      expect([failed, integrity]).toEqual([0, 'ok']);
    },
    testTimeout,
  );
});
