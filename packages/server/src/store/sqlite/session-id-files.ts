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

/** Adds them to a backup, in a table that only backups have. */
export function putSessionIdFiles(backup: Database, files: SessionIdFiles): void {
  backup.exec(`
    DROP TABLE IF EXISTS session_id_files;
    CREATE TABLE session_id_files (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
  `);
  const put = backup.prepare('INSERT INTO session_id_files (name, text) VALUES (?, ?)');
  for (const [name, text] of files) put.run(name, text);
}

/** Takes them out of a copy of a backup. Null if the backup is from a version that didn't add them. */
export function takeSessionIdFiles(copy: Database): SessionIdFiles | null {
  if (!copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'session_id_files'").get()) return null;
  const rows = copy.prepare('SELECT name, text FROM session_id_files').all();
  copy.exec('DROP TABLE session_id_files');
  return new Map(
    rows.map(({ name, text }) => [String(name), String(text)] as const).filter(([name]) => form.test(name)),
  );
}

/** Replaces all of them. What can fail, such as writing to a full disk, happens before the first one is replaced. */
export function replaceSessionIdFiles(databasePath: string, files: SessionIdFiles): void {
  const folder = folderOf(databasePath);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, `${name}.new`), text, { mode: 0o600 });
  for (const name of readSessionIdFiles(databasePath).keys()) if (!files.has(name)) rmSync(join(folder, name));
  for (const name of files.keys()) renameSync(join(folder, `${name}.new`), join(folder, name));
}
