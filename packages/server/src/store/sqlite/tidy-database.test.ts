import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { turnRow } from '../testing/sample-rows.ts';
import { outputWrite, tidyContract } from '../tidy.contract.ts';
import { createWriteApplier } from './apply-write.ts';
import { migrate, migrations } from './migrate.ts';
import { openDatabase, openReader } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { sparePages, startTidying, stepLimits } from './tidy-database.ts';

const old = '2020-01-01T00:00:00.000Z';
const all = { outputsBefore: '9999-01-01T00:00:00.000Z', decisionsBefore: '9999-01-01T00:00:00.000Z' };
const folders: string[] = [];
const newPath = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'liminal-tidy-'));
  folders.push(folder);
  return join(folder, 'test.sqlite');
};
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});
const outputs = (count: number, bytes = 10) =>
  Array.from({ length: count }, (_, index) => outputWrite(`t:${index}:0`, old, 'x'.repeat(bytes)));
const pagesOf = (path: string) => {
  const database = openReader(path);
  const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  const pages = { all: pragma('page_count'), free: pragma('freelist_count') };
  database.close();
  return pages;
};

tidyContract('sqlite', async () => openSqliteStore(await newPath()));

describe('tidying in steps', () => {
  const stepsFor = async (count: number, bytes: number) => {
    const database = openDatabase(await newPath());
    migrate(database);
    const apply = createWriteApplier(database);
    database.exec('BEGIN');
    for (const write of outputs(count, bytes)) apply(write);
    database.exec('COMMIT');
    const left = () => Number(database.prepare('SELECT count(*) AS count FROM outputs').get()?.['count']);
    const tidying = startTidying(database, all);
    const sizes: number[] = [];
    for (let before = left(); tidying.step() && before > left(); before = left()) sizes.push(before - left());
    database.close();
    return sizes;
  };

  it('removes a limited number of outputs per step', async () => {
    const { outputRows } = stepLimits;
    expect(await stepsFor(2 * outputRows + 1, 10)).toEqual([outputRows, outputRows, 1]);
  });

  it('removes fewer of them when they are large, but at least one', async () => {
    expect(await stepsFor(5, stepLimits.outputBytes / 2)).toEqual([2, 2, 1]);
    expect(await stepsFor(2, 2 * stepLimits.outputBytes)).toEqual([1, 1]);
  });
});

describe('tidying during other writes', () => {
  it('rejects no write made meanwhile, and makes all of them durable before it ends', async () => {
    const store = openSqliteStore(await newPath());
    await store.write(outputs(stepLimits.outputRows * 40));
    const ends: string[] = [];
    const tidied = store.tidy(all).then((result) => {
      ends.push('tidied');
      return result;
    });
    for (let turn = 0; turn < 10; turn += 1) {
      await store.write([{ type: 'put-turn', row: turnRow(`t${turn}`) }]);
      ends.push('written');
    }
    expect(await tidied).toEqual({ outputs: stepLimits.outputRows * 40, decisions: 0 });
    expect(ends).toEqual([...Array.from({ length: 10 }, () => 'written'), 'tidied']);
    expect(store.openTurns('s')).toHaveLength(10);
    await store.close();
  });

  it("doesn't delay idle, and ends early when the store is closed", async () => {
    const path = await newPath();
    const store = openSqliteStore(path);
    const count = stepLimits.outputRows * 40;
    await store.write(outputs(count));
    const tidied = store.tidy(all);
    const again = store.tidy(all);
    await store.idle();
    await store.close();
    expect((await tidied).outputs).toBeLessThan(count);
    expect(await again).toEqual({ outputs: 0, decisions: 0 });
    await expect(store.tidy(all)).rejects.toThrow();
    const reopened = openSqliteStore(path);
    expect((await reopened.tidy(all)).outputs).toBe(count - (await tidied).outputs);
    await reopened.close();
  });
});

describe('tidying while another program holds the write lock', () => {
  it('fails, and later commits still wait for the disk', async () => {
    const path = await newPath();
    const database = openDatabase(path);
    migrate(database);
    database.exec('PRAGMA busy_timeout = 0');
    const other = openDatabase(path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => startTidying(database, all).step()).toThrow('locked');
    const full = 2;
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: full });
    other.close();
    database.close();
  });
});

describe('space on disk', () => {
  const bytes = 100_000;

  it('is given back, except for a little that the next writes use', async () => {
    const path = await newPath();
    const store = openSqliteStore(path);
    await store.write(outputs(100, bytes));
    const before = pagesOf(path);
    await store.tidy(all);
    const after = pagesOf(path);
    expect(after.free).toBe(sparePages);
    expect(after.all).toBeLessThan(before.all / 2);
    await store.close();
  });

  it("is reused in a database that can't shrink", async () => {
    const path = await newPath();
    const database = openDatabase(path);
    database.exec('PRAGMA auto_vacuum = NONE; VACUUM;');
    migrate(database);
    expect(database.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 0 });
    database.close();
    const store = openSqliteStore(path);
    await store.write(outputs(100, bytes));
    const before = pagesOf(path);
    await store.tidy(all);
    expect(pagesOf(path).all).toBe(before.all);
    await store.write(outputs(50, bytes));
    expect(pagesOf(path).all).toBe(before.all);
    await store.close();
  });
});

describe('a database from before outputs had a time', () => {
  it('keeps its outputs as if they were written at the time of the migration', async () => {
    const path = await newPath();
    const database = openDatabase(path);
    migrate(database, migrations.slice(0, 4));
    database.exec(`INSERT INTO outputs (session_id, item_id, output) VALUES ('s', 't:1:0', 'from before')`);
    const decision = {
      sessionId: 's',
      requestId: 'r',
      turnId: 't',
      title: 'x',
      outcome: 'ended',
      by: 'agent',
      at: old,
    };
    const add = database.prepare('INSERT INTO decisions (session_id, body) VALUES (?, ?)');
    add.run('s', JSON.stringify(decision));
    add.run('s', '{"not whole');
    const beforeUpdate = new Date(Date.now() - 60_000).toISOString();
    database.close();

    const store = openSqliteStore(path);
    await store.write([outputWrite('t:2:0', old)]);
    expect(store.output('s', 't:1:0')).toBe('from before');
    expect(await store.tidy({ outputsBefore: beforeUpdate, decisionsBefore: old })).toEqual({
      outputs: 1,
      decisions: 0,
    });
    expect([store.output('s', 't:1:0'), store.output('s', 't:2:0')]).toEqual(['from before', undefined]);
    expect(await store.tidy(all)).toEqual({ outputs: 1, decisions: 1 });
    await store.close();
  });

  it('keeps them forever when the time of the migration is unknown', async () => {
    const path = await newPath();
    const database = openDatabase(path);
    migrate(database);
    database.exec('DELETE FROM undated_outputs');
    database.exec(`INSERT INTO outputs (session_id, item_id, output) VALUES ('s', 't:1:0', 'from before')`);
    database.close();
    const store = openSqliteStore(path);
    expect(await store.tidy(all)).toEqual({ outputs: 0, decisions: 0 });
    await store.close();
  });
});
