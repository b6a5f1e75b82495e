import { rewindContract } from '../rewind.contract.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { storeContract } from '../store.contract.ts';
import { checkpointRow, itemRow, sessionRow, turnRow } from '../testing/sample-rows.ts';
import { worktreeStoreContract } from '../worktree-store.contract.ts';
import { migrate, NewerDatabaseError } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folders: string[] = [];
const newPath = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'liminal-store-'));
  folders.push(folder);
  return join(folder, 'test.sqlite');
};
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

rewindContract('sqlite', async () => openSqliteStore(await newPath()));

storeContract('sqlite', async () => {
  const path = await newPath();
  return { store: openSqliteStore(path), reopen: async () => openSqliteStore(path), remove: async () => {} };
});

worktreeStoreContract('sqlite', async () => openSqliteStore(await newPath()));

describe('the store on disk', () => {
  it("skips and counts rows it can't read", async () => {
    const path = await newPath();
    const store = openSqliteStore(path);
    await store.write([
      { type: 'put-session', row: sessionRow('s') },
      { type: 'put-item', row: itemRow('t:1:0', 0) },
      { type: 'put-item', row: itemRow('t:2:0', 1) },
    ]);
    const database = openDatabase(path);
    database.exec(`UPDATE items SET body = '{"type":"hologram"}' WHERE item_id = 't:1:0'`);
    database.exec(`INSERT INTO sessions (session_id, body) VALUES ('broken', '{"sess')`);
    database.close();
    expect(store.itemsOfTurn('s', 't').map((row) => row.itemId)).toEqual(['t:2:0']);
    expect(store.sessions().map((row) => row.sessionId)).toEqual(['s']);
    expect(store.skippedRows()).toBe(2);
    await store.close();
  });

  it("lists the other checkpoints when it can't read one", async () => {
    const path = await newPath();
    const store = openSqliteStore(path);
    const checkpoints = ['one', 'two', 'three'].map((turnId) => checkpointRow(turnId));
    await store.write(checkpoints.map((row) => ({ type: 'put-checkpoint', row }) as const));
    const database = openDatabase(path);
    database.exec(`UPDATE checkpoints SET body = '{"sess' WHERE turn_id = 'one'`);
    database.exec(`UPDATE checkpoints SET body = '[]' WHERE turn_id = 'two'`);
    database.close();
    expect(store.checkpointSizes().map(({ turnId }) => turnId)).toEqual(['three']);
    expect(store.skippedRows()).toBe(2);
    expect(store.checkpointTimes('/p/.git')).toHaveLength(1);
    await store.close();
  });

  it("skips valid JSON this build can't show, and keeps fields it doesn't know", async () => {
    const path = await newPath();
    const store = openSqliteStore(path);
    const sessions = ['whole', 'no-flag', 'no-time', 'other-life'].map((id) => sessionRow(id));
    await store.write(sessions.map((row) => ({ type: 'put-session', row }) as const));
    await store.write([
      { type: 'put-turn', row: turnRow('t', { position: 0, state: 'completed' }) },
      { type: 'put-setting', key: 'broken', value: 1 },
    ]);
    const database = openDatabase(path);
    database.exec(`
      UPDATE sessions SET body = json_set(body, '$.hue', 'green') WHERE session_id = 'whole';
      UPDATE sessions SET body = json_remove(body, '$.archived') WHERE session_id = 'no-flag';
      UPDATE sessions SET body = json_set(body, '$.updatedAt', 'yesterday') WHERE session_id = 'no-time';
      UPDATE sessions SET body = json_set(body, '$.life', 'undead') WHERE session_id = 'other-life';
      UPDATE turns SET body = json_set(body, '$.ended', json('{"type":"turn_vanished"}'));
      UPDATE settings SET value = '{"tab' WHERE key = 'broken';
    `);
    database.close();
    expect(store.sessions().map(({ sessionId }) => sessionId)).toEqual(['whole']);
    expect(store.session('whole')).toEqual({ ...sessionRow('whole'), hue: 'green' });
    expect(store.turnsBefore('s', null, 10)).toEqual([]);
    expect(store.setting('broken')).toBeUndefined();
    expect(store.skippedRows()).toBe(5);
    await store.close();
  });

  it("rejects a write that can't be sent to the writer, and doesn't wait for it afterwards", async () => {
    const store = openSqliteStore(await newPath());
    const odd = { ...turnRow('odd'), content: () => 'no text' } as never;
    await expect(store.write([{ type: 'put-turn', row: odd }])).rejects.toThrow();
    await store.idle();
    await store.close();
  });

  it("rejects only the write that can't be sent, out of many made at once", async () => {
    const store = openSqliteStore(await newPath());
    const odd = { ...turnRow('odd'), content: () => 'no text' } as never;
    const turns = Array.from({ length: 120 }, (_, index) => (index === 60 ? odd : turnRow(`t${index}`)));
    const results = await Promise.allSettled(turns.map((row) => store.write([{ type: 'put-turn', row }])));
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([60]);
    expect(store.openTurns('s')).toHaveLength(119);
    await store.close();
  });

  it('makes all writes durable that were made just before it is closed', async () => {
    const path = await newPath();
    const store = openSqliteStore(path);
    const writes = Array.from({ length: 120 }, (_, index) =>
      store.write([{ type: 'put-turn', row: turnRow(`t${index}`) }]),
    );
    await store.close();
    await Promise.all(writes);
    const again = openSqliteStore(path);
    expect(again.openTurns('s')).toHaveLength(120);
    await again.close();
  });

  it('rejects only the write that fails, and commits the others', async () => {
    const store = openSqliteStore(await newPath());
    const bad = { ...turnRow('bad'), state: null } as never;
    const results = await Promise.allSettled([
      store.write([{ type: 'put-turn', row: turnRow('good') }]),
      store.write([
        { type: 'put-turn', row: turnRow('half') },
        { type: 'put-turn', row: bad },
      ]),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect(store.openTurns('s').map((row) => row.turnId)).toEqual(['good']);
    await store.close();
  });

  it('rejects data of a newer build without changing it', async () => {
    const path = await newPath();
    const database = openDatabase(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(() => openSqliteStore(path)).toThrow(NewerDatabaseError);
  });

  it('applies all migrations or none', async () => {
    const path = await newPath();
    const database = openDatabase(path);
    expect(() => migrate(database, ['CREATE TABLE one (a)', 'CREATE NONSENSE'])).toThrow();
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    expect(tables).toEqual([]);
    migrate(database, ['CREATE TABLE one (a)']);
    migrate(database, ['CREATE TABLE one (a)', 'CREATE TABLE two (a)']);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
    database.close();
  });
});
