import { chmodSync, closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';

export type Database = DatabaseSync;
export type Statement = StatementSync;

/** SQLite gives the files beside a database the mode of the database itself; those of an older version may be wider. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`])
    if (existsSync(file)) chmodSync(file, 0o600);
}

/**
 * A connection that writes: WAL, and every commit on disk before it returns. A new database can give free pages back
 * later on; this has to be set before anything is in it, and setting it again would write to one that exists.
 */
export function openDatabase(path: string): Database {
  keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: 5000 });
  const isNew = database.prepare('PRAGMA page_count').get()?.['page_count'] === 0;
  if (isNew) database.exec('PRAGMA auto_vacuum = INCREMENTAL;');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
  return database;
}

/** A connection that only reads; beside a WAL writer it never waits and is never in the way. */
export function openReader(path: string): Database {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  database.exec('PRAGMA query_only = ON;');
  return database;
}

const busy = 5;

/** A small database that one process holds for its life: a lock which a kill frees. Null when another holds it. */
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
 * Writes a whole copy of a database as it is at this moment, also while others write to it. The file is there complete or
 * not at all.
 */
export function copyDatabase(from: string, to: string): void {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  try {
    database.prepare('VACUUM INTO ?').run(partial);
  } finally {
    database.close();
  }
  chmodSync(partial, 0o600);
  const file = openSync(partial, 'r+');
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, to);
}

/** Pages of 2 MiB. */
const pagesOfStep = 512;

/**
 * The same for a database that a server writes to. A little at a time is brought to the disk: a system that has gigabytes
 * to write keeps everybody's commits waiting for seconds until it has written them.
 */
export async function copyBesideWrites(from: string, to: string): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const file = openSync(partial, 'w', 0o600);
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  try {
    // As it is now, to the end: without an open transaction every write would make the copy start over.
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema;');
    await backup(database, partial, { rate: pagesOfStep, progress: () => fdatasyncSync(file) });
    // A copy is one file, wherever it is taken.
    const copy = new DatabaseSync(partial);
    copy.exec('PRAGMA journal_mode = DELETE');
    copy.close();
    fsyncSync(file);
  } finally {
    database.close();
    closeSync(file);
  }
  renameSync(partial, to);
}

/** The version of the data in a file, or null where it is no database of ours. Looking at every page takes its time. */
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
