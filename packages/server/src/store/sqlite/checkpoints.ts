import type { Database } from './open-database.ts';

/** After this many rows, about 500 pages, a checkpoint is worth its two syncs. Writes meanwhile wait only briefly. */
const fewestRows = 50;
/** No write for this long counts as a pause. */
const pauseMs = 5;
/**
 * SQLite's own limit, 4 times the default: beyond it, a commit copies everything at once and the write waits. Only a
 * stream of writes without a pause, or a reader that holds an old state such as a backup, gets there.
 */
const mostPages = 4_000;

export type Checkpoints = {
  /** Rows were committed. The database file gets them when nobody writes. */
  committed(rows: number): void;
  readonly isDue: boolean;
  run(): void;
  stop(): void;
};

/** Copies the log into the database file in the pauses between writes, instead of inside every hundredth commit. */
export function createCheckpoints(database: Pick<Database, 'exec'>): Checkpoints {
  database.exec(`PRAGMA wal_autocheckpoint = ${mostPages}`);
  let rows = 0;
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const run = (): void => {
    stop();
    rows = 0;
    try {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Everything is in the log already. A commit that fails for the same reason reports it.
    }
  };
  return {
    committed(count) {
      rows += count;
      if (rows < fewestRows) return;
      stop();
      timer = setTimeout(run, pauseMs);
    },
    get isDue() {
      return rows >= fewestRows;
    },
    run,
    stop,
  };
}
