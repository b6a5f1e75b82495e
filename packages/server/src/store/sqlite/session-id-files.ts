import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from './open-database.ts';

/** Files beside the database that say which of an agent's sessions is behind each of ours: their text by name. */
export type SessionIdFiles = ReadonlyMap<string, string>;

const form = /^[^/\\]+\.sessions\.json$/;
const folderOf = (databasePath: string): string => join(dirname(databasePath), 'agents');

export function readSessionIdFiles(databasePath: string): SessionIdFiles {
  const folder = folderOf(databasePath);
  const names = globSync('*.sessions.json', { cwd: folder });
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const hasTable = (database: Database): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'session_id_files'").get() !== undefined;

/** Adds them to a backup, in a table that only backups have, and restored data until the restore is finished. */
export function putSessionIdFiles(backup: Database, files: SessionIdFiles): void {
  if (hasTable(backup)) return;
  backup.exec('CREATE TABLE session_id_files (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT');
  const put = backup.prepare('INSERT INTO session_id_files (name, text) VALUES (?, ?)');
  for (const [name, text] of files) put.run(name, text);
}

/**
 * Takes them out of a restored backup and puts them beside it. This is the last step of a restore, and every start makes
 * sure that it is done. A backup from a version that didn't add them leaves them as they are.
 */
export function takeSessionIdFiles(restored: Database, databasePath: string): void {
  if (!hasTable(restored)) return;
  const rows = restored.prepare('SELECT name, text FROM session_id_files').all();
  const files = rows.map(({ name, text }) => [String(name), String(text)] as const);
  replaceSessionIdFiles(databasePath, new Map(files.filter(([name]) => form.test(name))));
  restored.exec('DROP TABLE session_id_files');
}

/** Replaces all of them. What can fail, such as writing to a full disk, happens before the first one is replaced. */
function replaceSessionIdFiles(databasePath: string, files: SessionIdFiles): void {
  const folder = folderOf(databasePath);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, `${name}.new`), text, { mode: 0o600 });
  for (const name of readSessionIdFiles(databasePath).keys()) if (!files.has(name)) rmSync(join(folder, name));
  for (const name of files.keys()) renameSync(join(folder, `${name}.new`), join(folder, name));
}
