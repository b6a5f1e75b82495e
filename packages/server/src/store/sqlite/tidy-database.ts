import type { TidyLimits } from '@liminal/contracts';
import type { Tidied } from '../store.ts';
import type { Database } from './open-database.ts';

/** With these limits a step takes about a millisecond; an output larger than `outputBytes` is a step of its own. */
export const stepLimits = { outputRows: 50, outputBytes: 1024 * 1024, decisionRows: 100, pages: 64 };

/** Free pages (1 MiB) kept for the next writes: returning them only to grow again would be wasted work. */
export const sparePages = 256;

const incremental = 2;

export type Tidying = {
  /** Runs one small transaction. False when nothing is left to do. */
  step(): boolean;
  tidied(): Tidied;
};

/** Removes rows older than the limits and gives free pages back to the disk, a little with every step. */
export function startTidying(database: Database, { outputsBefore, decisionsBefore }: TidyLimits): Tidying {
  let outputs = 0;
  let decisions = 0;
  const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);

  const oldOutputs = database.prepare(
    `SELECT rowid AS id, octet_length(output) AS bytes FROM outputs
     WHERE written_at >= ? AND written_at < ? ORDER BY written_at LIMIT ${stepLimits.outputRows}`,
  );
  const removeOutput = database.prepare('DELETE FROM outputs WHERE rowid = ?');
  const removeDecisions = database.prepare(
    `DELETE FROM decisions
     WHERE id IN (SELECT id FROM decisions WHERE at < ? ORDER BY at LIMIT ${stepLimits.decisionRows})`,
  );

  /** Outputs without a time sort before all others: they are skipped until the time they count from is old enough. */
  const firstTime = outputsBefore !== null && undatedSince(database) < outputsBefore ? '' : '0';

  const stepOutputs = (): boolean => {
    if (outputsBefore === null) return false;
    const found = oldOutputs.all(firstTime, outputsBefore);
    let bytes = 0;
    for (const row of found) {
      if (bytes >= stepLimits.outputBytes) break;
      bytes += Number(row['bytes']);
      removeOutput.run(Number(row['id']));
      outputs += 1;
    }
    return found.length > 0;
  };
  const stepDecisions = (): boolean => {
    if (decisionsBefore === null) return false;
    const removed = Number(removeDecisions.run(decisionsBefore).changes);
    decisions += removed;
    return removed > 0;
  };
  const stepPages = (): boolean => {
    const spare = pragma('freelist_count') - sparePages;
    if (spare <= 0 || pragma('auto_vacuum') !== incremental) return false;
    database.exec(`PRAGMA incremental_vacuum(${Math.min(spare, stepLimits.pages)})`);
    return true;
  };

  return {
    step: () => withoutSync(database, () => stepOutputs() || stepDecisions() || stepPages()),
    tidied: () => ({ outputs, decisions }),
  };
}

/** A removal lost in a power cut is repeated later: waiting for the disk would only delay writers. */
function withoutSync<T>(database: Database, act: () => T): T {
  try {
    database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE;');
    const done = act();
    database.exec('COMMIT');
    return done;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}

/** The time that outputs without one count from; later than any limit when unknown. */
function undatedSince(database: Database): string {
  const row = database.prepare('SELECT since FROM undated_outputs').get();
  return String(row?.['since'] ?? '~');
}
