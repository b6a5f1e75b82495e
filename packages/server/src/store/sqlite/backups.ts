import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { migrations } from './migrate.ts';
import { copyDatabase, dataVersion } from './open-database.ts';
import { putSessionIdFiles, readSessionIdFiles } from './session-id-files.ts';

const keptUpdates = 3;

/** A path for a backup beside the database; `why` is part of its name. */
export function backupPath(databasePath: string, why: string, at: Date): string {
  const folder = join(dirname(databasePath), 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${at.toISOString().replaceAll(/[:.]/g, '-')}-${why}.sqlite`);
}

/**
 * Copies the data before a newer build migrates it, so the older build can be used again with the copy. Null when no
 * migration is needed.
 */
export function backupBeforeUpdate(databasePath: string, at = new Date()): string | null {
  const version = existsSync(databasePath) ? dataVersion(databasePath) : null;
  if (version === null || version === 0 || version >= migrations.length) return null;
  const path = backupPath(databasePath, `before-update-of-data-${version}`, at);
  const files = readSessionIdFiles(databasePath);
  copyDatabase(databasePath, path, (copy) => putSessionIdFiles(copy, files));
  const older = globSync('*-before-update-of-data-*.sqlite', { cwd: dirname(path) }).toSorted();
  for (const name of older.slice(0, -keptUpdates)) rmSync(join(dirname(path), name), { force: true });
  return path;
}
