import { chmodSync, closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';

export type Database = DatabaseSync;
export type Statement = StatementSync;

/**
 * SQLite gives a database's side files the mode of the database itself; files of an older version may have a wider one.
 */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    if (existsSync(file)) chmodSync(file, 0o600);
}

/**
 * A connection that writes: WAL, and every commit on disk before it returns. Auto-vacuum must be set before a new
 * database holds anything; setting it on an existing one would write to it.
 */
export function openDatabase(path: string): Database {
  keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: 5000 });
  const isNew = database.prepare('PRAGMA page_count').get()?.['page_count'] === 0;
  if (isNew) database.exec('PRAGMA auto_vacuum = INCREMENTAL;');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
  return database;
}

/** A read-only connection; beside a WAL writer it never waits and never blocks. */
export function openReader(path: string): Database {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  database.exec('PRAGMA query_only = ON;');
  return database;
}

const busy = 5;

/**
 * A small database that one process locks for its lifetime; a kill releases the lock. Null when another process holds
 * it.
 */
export function lockDatabase(path: string): Database | null {
  keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
    return database;
  } catch (error) {
    database.close();
    if ((((error as { errcode?: number }).errcode ?? 0) & 0xff) === busy) return null;
    throw error;
  }
}

/**
 * Writes a full copy of a database as of now, even while others write to it. The file is complete or doesn't exist.
 * `finish` may change the copy before that; its result is returned.
 */
export function copyDatabase<T>(from: string, to: string, finish: (copy: Database) => T): T {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  let finished: T;
  try {
    database.prepare('VACUUM INTO ?').run(partial);
    finished = finishCopy(partial, finish);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    database.close();
  }
  chmodSync(partial, 0o600);
  const file = openSync(partial, 'r+');
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, to);
  return finished;
}

function finishCopy<T>(partial: string, finish: (copy: Database) => T): T {
  const copy = new DatabaseSync(partial);
  try {
    // Without WAL the copy is a single file.
    copy.exec('PRAGMA journal_mode = DELETE');
    return finish(copy);
  } finally {
    copy.close();
  }
}

/** 512 pages of 4 KiB are 2 MiB. */
const pagesOfStep = 512;

/**
 * The same for a database that a server is writing to. Syncs a little at a time: a system with gigabytes of dirty pages
 * delays every commit for seconds.
 */
export async function copyBesideWrites(from: string, to: string, finish: (copy: Database) => void): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const file = openSync(partial, 'w', 0o600);
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  try {
    // Pins the snapshot: without an open transaction every write would restart the copy.
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema;');
    await backup(database, partial, { rate: pagesOfStep, progress: () => fdatasyncSync(file) });
    finishCopy(partial, finish);
    fsyncSync(file);
  } finally {
    database.close();
    closeSync(file);
  }
  renameSync(partial, to);
}

/**
 * The data version of a file, or null if it isn't one of our databases. The thorough check reads every page and is
 * slow.
 */
export function dataVersion(path: string, isThorough = false): number | null {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const isWhole = !isThorough || database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';
      const isOurs = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sessions'").get() !== undefined;
      return isWhole && isOurs ? Number(database.prepare('PRAGMA user_version').get()?.['user_version']) : null;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}
