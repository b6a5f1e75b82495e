import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupBeforeUpdate } from '../store/sqlite/backups.ts';
import { migrate, migrations } from '../store/sqlite/migrate.ts';
import { dataVersion, lockDatabase, openDatabase } from '../store/sqlite/open-database.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { projectRow } from '../store/testing/sample-rows.ts';
import { runBackupCommand } from './backup-command.ts';

let dataDir: string;
let database: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'liminal-backup-'));
  database = join(dataDir, 'liminal.sqlite');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const backup = (...args: string[]) => runBackupCommand([...args, '--data-dir', dataDir], {}, new Date(0));
const add = async (id: string) => {
  const store = openSqliteStore(database);
  await store.write([{ type: 'put-project', row: projectRow(id) }]);
  await store.close();
};
const ids = async () => {
  const store = openSqliteStore(database);
  const found = store.projects().map(({ projectId }) => projectId);
  await store.close();
  return found;
};

describe('liminal backup', () => {
  it('copies what is there while it is being written to, for this user alone, and puts it back', async () => {
    const store = openSqliteStore(database);
    await store.write([{ type: 'put-project', row: projectRow('one') }]);
    const file = join(dataDir, 'copy.sqlite');
    expect(backup(file)).toEqual({ sentence: expect.stringContaining(file), exitCode: 0 });
    await store.write([{ type: 'put-project', row: projectRow('two') }]);
    await store.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(backup(file)).toEqual({ sentence: expect.stringContaining('already exists'), exitCode: 1 });

    expect(backup('restore', file).exitCode).toBe(0);
    expect(await ids()).toEqual(['one']);
    const [before = ''] = readdirSync(join(dataDir, 'backups'));
    expect(before).toContain('before-restore');
    expect(backup('restore', join(dataDir, 'backups', before)).exitCode).toBe(0);
    expect(await ids()).toEqual(['one', 'two']);
  });

  it('says what is wrong, and touches nothing then', async () => {
    expect(backup()).toMatchObject({ exitCode: 1, sentence: expect.stringContaining('no data yet') });
    await add('one');
    const odd = join(dataDir, 'odd');
    writeFileSync(odd, 'not a database');
    expect(backup('restore', odd).sentence).toContain("isn't a backup");
    expect(backup('restore').exitCode).toBe(2);
    const named = JSON.parse(backup('--json').sentence) as { file: string };
    const lock = lockDatabase(join(dataDir, 'lock.sqlite'));
    expect(backup('restore', named.file).sentence).toContain('Stop it first');
    lock?.close();
    const newer = openDatabase(named.file);
    newer.exec('PRAGMA user_version = 9999');
    newer.close();
    expect(backup('restore', named.file).sentence).toContain('newer version');
    mkdirSync(join(dataDir, 'taken.partial', 'inside'), { recursive: true });
    expect(backup(join(dataDir, 'nowhere', 'copy.sqlite')).exitCode).toBe(1);
    expect(await ids()).toEqual(['one']);
  });

  it('keeps the data as an older build left them, before they are brought up to date', async () => {
    expect(backupBeforeUpdate(database)).toBeNull();
    const old = openDatabase(database);
    migrate(old, migrations.slice(0, 1));
    old.close();
    const path = backupBeforeUpdate(database) ?? '';
    expect(dataVersion(path)).toBe(1);
    await add('one');
    expect(backupBeforeUpdate(database)).toBeNull();
    expect(backup('restore', path).exitCode).toBe(0);
    expect(dataVersion(database)).toBe(1);
    for (let day = 1; day < 6; day += 1) backupBeforeUpdate(database, new Date(day * 86_400_000));
    expect(readdirSync(join(dataDir, 'backups')).filter((name) => name.includes('before-update'))).toHaveLength(3);
  });
});
