import { openReader } from '../../store/sqlite/open-database.ts';

/** SQLite's own integrity check: `ok`, or what is wrong. */
export function integrityOf(path: string): string {
  const database = openReader(path);
  try {
    const rows = database.prepare('PRAGMA integrity_check').all();
    return rows.map((row) => String(row['integrity_check'])).join('; ');
  } finally {
    database.close();
  }
}
