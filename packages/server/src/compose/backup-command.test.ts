import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupBeforeUpdate } from '../store/sqlite/backups.ts';
import { migrate, migrations } from '../store/sqlite/migrate.ts';
import { dataVersion, lockDatabase, openDatabase, openReader } from '../store/sqlite/open-database.ts';
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
  it('copies the data during writes, readable only by this user, and restores it', async () => {
    const store = openSqliteStore(database);
    await store.write([{ type: 'put-project', row: projectRow('one') }]);
    const file = join(dataDir, 'copy.sqlite');
    expect(await backup(file)).toEqual({ sentence: expect.stringContaining(file), exitCode: 0 });
    await store.write([{ type: 'put-project', row: projectRow('two') }]);
    await store.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await backup(file)).toEqual({ sentence: expect.stringContaining('already exists'), exitCode: 1 });

    expect((await backup('restore', file)).exitCode).toBe(0);
    expect(await ids()).toEqual(['one']);
    const [before = ''] = readdirSync(join(dataDir, 'backups'));
    expect(before).toContain('before-restore');
    expect((await backup('restore', join(dataDir, 'backups', before))).exitCode).toBe(0);
    expect(await ids()).toEqual(['one', 'two']);
  });

  it('copies a consistent snapshot into one file, however much is written meanwhile', async () => {
    const store = openSqliteStore(database);
    const projects = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        type: 'put-project' as const,
        row: { ...projectRow(`p${from + index}`), name: 'x'.repeat(2_000) },
      }));
    await store.write(projects(0, 3_000));
    const file = join(dataDir, 'copy.sqlite');
    let isCopied = false;
    const copying = backup(file).finally(() => (isCopied = true));
    let written = 3_000;
    do {
      await store.write(projects(written, 20));
      written += 20;
    } while (!isCopied);
    expect((await copying).exitCode).toBe(0);
    await store.close();
    expect(dataVersion(file, true)).toBe(migrations.length);
    const copy = openReader(file);
    const [counted, last] = ['SELECT count(*) AS found FROM projects', 'SELECT max(rowid) AS found FROM projects'].map(
      (sql) => Number(copy.prepare(sql).get()?.['found']),
    );
    copy.close();
    expect(counted).toBe(last);
    expect(counted).toBeGreaterThanOrEqual(3_000);
    expect((counted ?? 0) % 20).toBe(0);
    expect(written).toBeGreaterThan(3_000);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('copy.'))).toEqual(['copy.sqlite']);
  });

  it('reports what is wrong and changes nothing', async () => {
    expect(await backup()).toMatchObject({ exitCode: 1, sentence: expect.stringContaining('no data yet') });
    await add('one');
    const odd = join(dataDir, 'odd');
    writeFileSync(odd, 'not a database');
    expect((await backup('restore', odd)).sentence).toContain("isn't a backup");
    expect((await backup('restore')).exitCode).toBe(2);
    const named = JSON.parse((await backup('--json')).sentence) as { file: string };
    const lock = lockDatabase(join(dataDir, 'lock.sqlite'));
    expect((await backup('restore', named.file)).sentence).toContain('Stop it first');
    lock?.close();
    const newer = openDatabase(named.file);
    newer.exec('PRAGMA user_version = 9999');
    newer.close();
    expect((await backup('restore', named.file)).sentence).toContain('newer version');
    mkdirSync(join(dataDir, 'taken.partial', 'inside'), { recursive: true });
    expect((await backup(join(dataDir, 'nowhere', 'copy.sqlite'))).exitCode).toBe(1);
    expect(await ids()).toEqual(['one']);
  });

  it('restores into a data directory that doesn’t exist, as on a new machine', async () => {
    await add('one');
    const file = join(dataDir, 'copy.sqlite');
    await backup(file);
    const fresh = join(dataDir, 'new', 'machine');
    expect(await runBackupCommand(['restore', file, '--data-dir', fresh], {})).toMatchObject({ exitCode: 0 });
    expect(statSync(fresh).mode & 0o777).toBe(0o700);
    const copy = openReader(join(fresh, 'liminal.sqlite'));
    expect(copy.prepare('SELECT count(*) AS found FROM projects').get()?.['found']).toBe(1);
    copy.close();
  });

  it('saves which of an agent’s sessions is behind each of ours, and restores that too', async () => {
    await add('one');
    mkdirSync(join(dataDir, 'agents'));
    const write = (name: string, text: string) => writeFileSync(join(dataDir, 'agents', name), text);
    const files = () =>
      readdirSync(join(dataDir, 'agents')).map((name) => [name, readFileSync(join(dataDir, 'agents', name), 'utf8')]);
    write('claude.sessions.json', '{"s":["whole"]}');
    const file = join(dataDir, 'copy.sqlite');
    await backup(file);
    // A rewind replaced the agent's session by a shortened copy.
    write('claude.sessions.json', '{"s":["short"]}');
    write('codex.sessions.json', '{"t":["new"]}');
    const restored = JSON.parse((await backup('restore', file, '--json')).sentence) as { kept: string };
    expect(files()).toEqual([['claude.sessions.json', '{"s":["whole"]}']]);
    expect((await backup('restore', restored.kept)).exitCode).toBe(0);
    expect(files()).toEqual([
      ['claude.sessions.json', '{"s":["short"]}'],
      ['codex.sessions.json', '{"t":["new"]}'],
    ]);
    expect(await ids()).toEqual(['one']);
  });

  it('is finished by the next start if it was killed after the data was replaced, and can be repeated', async () => {
    await add('one');
    mkdirSync(join(dataDir, 'agents'));
    const sessions = join(dataDir, 'agents', 'claude.sessions.json');
    writeFileSync(sessions, '{"s":["whole"]}');
    const file = join(dataDir, 'copy.sqlite');
    await backup(file);
    await add('two');
    writeFileSync(sessions, '{"s":["short"]}');
    // What a kill just before leaves behind.
    copyFileSync(file, `${database}.restoring`);
    expect([await ids(), readFileSync(sessions, 'utf8')]).toEqual([['one', 'two'], '{"s":["short"]}']);
    renameSync(`${database}.restoring`, database);
    const unfinished = join(dataDir, 'unfinished.sqlite');
    await backup(unfinished);
    expect([await ids(), readFileSync(sessions, 'utf8')]).toEqual([['one'], '{"s":["whole"]}']);
    // Once only: later sessions stay.
    writeFileSync(sessions, '{"s":["later"]}');
    expect([await ids(), readFileSync(sessions, 'utf8')]).toEqual([['one'], '{"s":["later"]}']);
    for (const copy of [file, unfinished]) {
      writeFileSync(sessions, '{"s":["later"]}');
      expect((await backup('restore', copy)).exitCode).toBe(0);
      expect(readFileSync(sessions, 'utf8')).toBe('{"s":["whole"]}');
    }
  });

  it('says so if the sessions of agents can’t be restored, and the next start does it', async () => {
    await add('one');
    const folder = join(dataDir, 'agents');
    mkdirSync(folder);
    writeFileSync(join(folder, 'claude.sessions.json'), '{"s":["whole"]}');
    const file = join(dataDir, 'copy.sqlite');
    await backup(file);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    expect(await backup('restore', file)).toMatchObject({
      exitCode: 1,
      sentence: expect.stringContaining('is restored, but'),
    });
    rmSync(folder);
    expect(await ids()).toEqual(['one']);
    expect(readFileSync(join(folder, 'claude.sessions.json'), 'utf8')).toBe('{"s":["whole"]}');
  });

  it('leaves the sessions of agents as they are when a backup has none saved', async () => {
    await add('one');
    mkdirSync(join(dataDir, 'agents'));
    const ids = join(dataDir, 'agents', 'claude.sessions.json');
    writeFileSync(ids, '{"s":["a"]}');
    const file = join(dataDir, 'older.sqlite');
    await backup(file);
    const older = openDatabase(file);
    older.exec('DROP TABLE session_id_files; PRAGMA journal_mode = DELETE;');
    older.close();
    expect((await backup('restore', file)).exitCode).toBe(0);
    expect(readFileSync(ids, 'utf8')).toBe('{"s":["a"]}');
  });

  describe('after a power cut left damaged data and its log', () => {
    const file = () => join(dataDir, 'copy.sqlite');
    beforeEach(async () => {
      await add('one');
      await backup(file());
      const store = openSqliteStore(database);
      await store.write([{ type: 'put-project', row: projectRow('two') }]);
      const log = readFileSync(`${database}-wal`);
      await store.close();
      const data = readFileSync(database);
      writeFileSync(database, data.fill(0xff, data.length / 4));
      writeFileSync(`${database}-wal`, log);
    });

    it('restores a backup and moves the damaged data with its log away', async () => {
      const restored = await backup('restore', file());
      expect(restored).toMatchObject({ exitCode: 0, sentence: expect.stringContaining('was moved to') });
      expect(await ids()).toEqual(['one']);
      const moved = readdirSync(join(dataDir, 'backups')).map((name) => name.replace(/^.*-before-restore/, ''));
      expect(moved.toSorted()).toEqual(['.sqlite', '.sqlite-shm', '.sqlite-wal']);
    });

    it('never applies the old log to the restored data, even if somebody moved the damaged file away', async () => {
      rmSync(database);
      expect((await backup('restore', file())).exitCode).toBe(0);
      expect(await ids()).toEqual(['one']);
    });
  });

  it('says why restoring failed, and leaves the data as it was', async () => {
    await add('one');
    const file = join(dataDir, 'copy.sqlite');
    await backup(file);
    const restored = await runBackupCommand(['restore', file, '--json', '--data-dir', join(file, 'inside')], {});
    expect(restored.exitCode).toBe(1);
    expect(JSON.parse(restored.sentence)).toEqual({
      error: { code: 'FAILED', message: expect.stringContaining(`${file} couldn't be restored to ${file}/inside`) },
    });
    // A file where the copy of the previous data belongs.
    writeFileSync(join(dataDir, 'backups'), '');
    expect(await backup('restore', file)).toMatchObject({
      exitCode: 1,
      sentence: expect.stringContaining('Nothing was changed.'),
    });
    expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([]);
    expect(await ids()).toEqual(['one']);
  });

  it('backs up the data of an older build before migrating it', async () => {
    expect(backupBeforeUpdate(database)).toBeNull();
    const old = openDatabase(database);
    migrate(old, migrations.slice(0, 1));
    old.close();
    const path = backupBeforeUpdate(database) ?? '';
    expect(dataVersion(path)).toBe(1);
    await add('one');
    expect(backupBeforeUpdate(database)).toBeNull();
    expect((await backup('restore', path)).exitCode).toBe(0);
    expect(dataVersion(database)).toBe(1);
    for (let day = 1; day < 6; day += 1) backupBeforeUpdate(database, new Date(day * 86_400_000));
    expect(readdirSync(join(dataDir, 'backups')).filter((name) => name.includes('before-update'))).toHaveLength(3);
  });
});
