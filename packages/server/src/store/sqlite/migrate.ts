import { sessionsMigration } from './migrations/001-sessions.ts';
import { searchMigration } from './migrations/002-search.ts';
import { itemChangesMigration } from './migrations/003-item-changes.ts';
import { openRequestsMigration } from './migrations/004-open-requests.ts';
import { retentionMigration } from './migrations/005-retention.ts';
import { reviewMigration } from './migrations/006-review.ts';
import { webhooksMigration } from './migrations/007-webhooks.ts';
import { worktreesMigration } from './migrations/008-worktrees.ts';
import { rewindsMigration } from './migrations/009-rewinds.ts';
import { comparesMigration } from './migrations/010-compares.ts';
import { listedSessionsMigration } from './migrations/011-listed-sessions.ts';
import { firstMessagesMigration } from './migrations/012-first-messages.ts';
import type { Database } from './open-database.ts';

/** In order: a database at version n has had the first n of them applied. */
export const migrations: readonly string[] = [
  sessionsMigration,
  searchMigration,
  itemChangesMigration,
  openRequestsMigration,
  retentionMigration,
  reviewMigration,
  webhooksMigration,
  worktreesMigration,
  rewindsMigration,
  comparesMigration,
  listedSessionsMigration,
  firstMessagesMigration,
];

/** A newer build made this database: opening it could lose data this build doesn't know. */
export class NewerDatabaseError extends Error {}

/** Brings the database to the newest version, all or nothing. */
export function migrate(database: Database, steps: readonly string[] = migrations): void {
  const found = versionOf(database);
  if (found > steps.length) {
    throw new NewerDatabaseError(
      `The data was written by a newer version of Liminal Builder (data version ${found}; this build supports ${steps.length}). Update Liminal Builder, or start it with another --data-dir.`,
    );
  }
  if (found === steps.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Read again inside the transaction: another process may have migrated in the meantime.
    for (const step of steps.slice(versionOf(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get();
  return Number(row?.['user_version'] ?? 0);
}
