import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtTestMain } from '@liminal/stand-ins/testing/start-program';
import { describe, expect, it } from 'vitest';
import { migrate, migrations } from '../store/sqlite/migrate.ts';
import { openDatabase, openReader } from '../store/sqlite/open-database.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { itemRow, sessionRow, turnRow } from '../store/testing/sample-rows.ts';
import { integrityOf } from './testing/check-database.ts';
import { printFigures } from './testing/figures.ts';
import { createRandom } from './testing/random.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

const folder = temporaryFolder('migration');
const main = builtTestMain('reliability/testing/migrate-main');
const items = scaled(1_500, 6_000);

/** A database of the first version, large enough for the migration to take a while. */
function makeOld(path: string): void {
  const database = openDatabase(path);
  migrate(database, migrations.slice(0, 1));
  database.exec('BEGIN');
  database.prepare('INSERT INTO sessions VALUES (?, ?)').run('s', JSON.stringify(sessionRow('s')));
  const turn = turnRow('t', { state: 'completed', position: 0 });
  const putTurn = 'INSERT INTO turns (session_id, turn_id, state, position, body) VALUES (?, ?, ?, ?, ?)';
  database.prepare(putTurn).run('s', 't', turn.state, 0, JSON.stringify(turn));
  const put = database.prepare(
    'INSERT INTO items (session_id, item_id, turn_id, "order", body) VALUES (?, ?, ?, ?, ?)',
  );
  for (let order = 0; order < items; order += 1) {
    const text = Array.from({ length: 60 }, (_, word) => `word${(order * 31 + word * 7) % 5_000}`).join(' ');
    const row = itemRow(`t:${order}:0`, order, text);
    put.run('s', row.itemId, 't', order, JSON.stringify(row.body));
  }
  database.exec('COMMIT');
  database.close();
}

/** Version, tables, and all user data in it. */
function look(path: string): { version: number; tables: string; rows: string } {
  const database = openReader(path);
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  const schema = database.prepare('SELECT sql FROM sqlite_master ORDER BY name').all();
  const hash = createHash('sha256');
  for (const row of database.prepare('SELECT item_id, "order", body FROM items ORDER BY id').iterate())
    hash.update(JSON.stringify(row));
  database.close();
  return { version, tables: JSON.stringify(schema), rows: hash.digest('hex') };
}

/** After one of the steps of a migration, or after some bytes in the log. */
type Moment = { readonly step: number } | { readonly bytes: number };

/** Migrates in a separate process that is killed at that moment. True if it finished first. */
async function migrateAndKill(path: string, moment: Moment): Promise<boolean> {
  const step = 'step' in moment ? [String(moment.step)] : [];
  const child = spawn(process.execPath, [main, path, ...step], { stdio: ['ignore', 'pipe', 'inherit'] });
  let [isDone, hasEnded] = [false, false];
  child.stdout.on('data', () => (isDone = true));
  const ended = once(child, 'exit').then(() => (hasEnded = true));
  const logged = (): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const isReached = (): boolean => 'bytes' in moment && logged() >= moment.bytes;
  await until(() => hasEnded || isDone || isReached(), 'the moment to kill');
  child.kill('SIGKILL');
  await ended;
  return isDone;
}

describe(`a migration killed half-way (seed ${seed})`, () => {
  it(
    'leaves the old or the new version intact, and the next start completes it',
    async () => {
      const random = createRandom(seed);
      const old = join(folder, 'old.sqlite');
      makeOld(old);
      const wanted = join(folder, 'new.sqlite');
      copyFileSync(old, wanted);
      const migrating = openDatabase(wanted);
      migrate(migrating);
      const logBytes = statSync(`${wanted}-wal`).size;
      migrating.close();
      const [before, after] = [look(old), look(wanted)];
      expect([before.version, after.version]).toEqual([1, migrations.length]);

      // After BEGIN, after each migration, after the new version number, and anywhere during the write.
      const steps = Array.from({ length: migrations.length + 1 }, (_, step) => ({ step: step + 1 }));
      const anywhere = Array.from({ length: scaled(2, 40) }, () => ({ bytes: 1 + random.below(logBytes) }));
      const moments: Moment[] = [...steps, ...anywhere];
      const counts = { between: 0, damaged: 0, lost: 0, midway: 0 };
      for (const moment of moments) {
        const path = join(folder, 'liminal.sqlite');
        copyFileSync(old, path);
        const isDone = await migrateAndKill(path, moment);
        const found = look(path);
        const isWhole = [before, after].some(
          ({ version, tables }) => found.version === version && found.tables === tables,
        );
        if (!isWhole) counts.between += 1;
        if (!isDone && found.version === before.version) counts.midway += 1;
        if (integrityOf(path) !== 'ok') counts.damaged += 1;
        const store = openSqliteStore(path);
        if (store.itemsOfTurn('s', 't').length !== items) counts.lost += 1;
        await store.close();
        const end = look(path);
        if (end.version !== after.version || end.tables !== after.tables) counts.between += 1;
        if (end.rows !== before.rows) counts.lost += 1;
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      }
      printFigures('migration killed', {
        kills: moments.length,
        midway: counts.midway,
        'neither old nor new': counts.between,
        'rows lost': counts.lost,
        damaged: counts.damaged,
      });
      expect(counts).toMatchObject({ between: 0, damaged: 0, lost: 0 });
      expect(counts.midway).toBeGreaterThanOrEqual(steps.length);
    },
    testTimeout,
  );
});
