import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backupPath } from '../store/sqlite/backups.ts';
import { migrations } from '../store/sqlite/migrate.ts';
import {
  copyBesideWrites,
  copyDatabase,
  dataVersion,
  lockDatabase,
  openDatabase,
} from '../store/sqlite/open-database.ts';
import {
  putSessionIdFiles,
  readSessionIdFiles,
  type SessionIdFiles,
  takeSessionIdFiles,
} from '../store/sqlite/session-id-files.ts';
import { type CommandEnd, type Ended, inForm } from './token-command.ts';

const usage =
  'Usage: npx liminal backup [FILE] [--json] [--data-dir DIR], or: npx liminal backup restore FILE [--json] [--data-dir DIR]';
/** What SQLite keeps beside a database. */
const sideFiles = ['-wal', '-shm', '-journal'];
const failed = (sentence: string, exitCode = 1): Ended => ({ sentence, exitCode });

/** `backup` copies all data, even while a server runs. `backup restore` restores a copy, but only while none does. */
export async function runBackupCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  at = new Date(),
): Promise<CommandEnd> {
  return inForm(await carryOut(args, env, at), args.includes('--json'));
}

async function carryOut(args: readonly string[], env: NodeJS.ProcessEnv, at: Date): Promise<Ended> {
  const read = readCommand(args, env);
  if (!read) return failed(usage, 2);
  const { databasePath, dataDir } = read;
  if (read.verb === 'restore') return restore(dataDir, databasePath, read.file, at);
  if (!existsSync(databasePath)) return failed(`${dataDir} has no data yet. Set another directory with --data-dir.`);
  const file = read.file ?? backupPath(databasePath, 'backup', at);
  if (existsSync(file)) return failed(`${file} already exists. Choose another name.`);
  try {
    const ids = readSessionIdFiles(databasePath);
    await copyBesideWrites(databasePath, file, (copy) => putSessionIdFiles(copy, ids));
  } catch (error) {
    rmSync(`${file}.partial`, { force: true });
    return failed(`The backup couldn't be written to ${file} (${(error as Error).message}).`);
  }
  return { sentence: `Saved all sessions and settings to ${file}`, exitCode: 0, value: { file } };
}

function restore(dataDir: string, databasePath: string, file: string, at: Date): Ended {
  const version = dataVersion(file, true);
  if (version === null) return failed(`${file} isn't a backup of Liminal Builder, or it is damaged.`);
  if (version > migrations.length)
    return failed(`${file} was made by a newer version of Liminal Builder. Update Liminal Builder first.`);
  const fresh = `${databasePath}.restoring`;
  try {
    // A new machine has no data directory yet.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = lockDatabase(join(dataDir, 'lock.sqlite'));
    if (!lock) return failed(`Liminal Builder is running on ${dataDir}. Stop it first.`);
    try {
      const kept = replaceData(file, databasePath, fresh, at);
      const problem = finish(databasePath);
      if (problem !== null)
        return failed(
          `${file} is restored, but not which of the agents' sessions belongs to which of yours (${problem}). Starting Liminal Builder tries this again.`,
        );
      const before =
        kept && !kept.isWhole ? "The previous data couldn't be copied, so it was moved to" : 'The previous data is in';
      return {
        sentence: `Restored ${file}.${kept ? ` ${before} ${kept.path}` : ''}`,
        exitCode: 0,
        value: { restored: file, ...(kept && { kept: kept.path }) },
      };
    } finally {
      for (const left of [fresh, `${fresh}.partial`]) rmSync(left, { force: true });
      lock.close();
    }
  } catch (error) {
    return failed(`${file} couldn't be restored to ${dataDir} (${(error as Error).message}). Nothing was changed.`);
  }
}

type Previous = { readonly path: string; readonly isWhole: boolean };

/** Replaces the data in one step, and returns where the previous data is. */
function replaceData(file: string, databasePath: string, fresh: string, at: Date): Previous | undefined {
  rmSync(fresh, { force: true });
  copyDatabase(file, fresh, () => {});
  const oldIds = readSessionIdFiles(databasePath);
  const path = backupPath(databasePath, 'before-restore', at);
  const isThere = existsSync(databasePath);
  const isWhole = isThere && keepCopy(databasePath, path, oldIds);
  if (!isWhole) keepFiles(databasePath, path);
  if (isThere && !isWhole) for (const [name, text] of oldIds) writeFileSync(`${path}-${name}`, text, { mode: 0o600 });
  // SQLite would apply a leftover log to the restored file.
  for (const side of sideFiles) rmSync(databasePath + side, { force: true });
  // Interrupted before this, the previous data is still there; after it, the restored data is.
  renameSync(fresh, databasePath);
  return isThere ? { path, isWhole } : undefined;
}

/** Keeps damaged data with its log under other names. The data itself also stays where it is until it is replaced. */
function keepFiles(databasePath: string, to: string): void {
  for (const end of ['', ...sideFiles].filter((each) => existsSync(databasePath + each))) {
    try {
      linkSync(databasePath + end, to + end);
    } catch {
      // Not every file system has links.
      copyFileSync(databasePath + end, to + end);
    }
  }
}

/** What is left to do after the data is replaced. Returns why it failed, or null. */
function finish(databasePath: string): string | null {
  try {
    const restored = openDatabase(databasePath);
    try {
      takeSessionIdFiles(restored, databasePath);
    } finally {
      restored.close();
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Copies the data and merges its log. False if it is too damaged for that. */
function keepCopy(databasePath: string, to: string, ids: SessionIdFiles): boolean {
  try {
    copyDatabase(databasePath, to, (copy) => putSessionIdFiles(copy, ids));
  } catch {
    return false;
  }
  try {
    // If the restore is interrupted from here on, the old file is complete without its log.
    const old = openDatabase(databasePath);
    old.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;');
    old.close();
  } catch {
    // The copy has everything.
  }
  return true;
}

function readCommand(args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'data-dir': { type: 'string' }, json: { type: 'boolean' } },
    });
    const dataDir = resolve(values['data-dir'] ?? (env['LIMINAL_DATA_DIR'] || join(homedir(), '.liminal-builder')));
    const base = { dataDir, databasePath: join(dataDir, 'liminal.sqlite') };
    const [first, second, ...more] = positionals;
    if (more.length > 0) return null;
    if (first === 'restore')
      return second === undefined ? null : ({ ...base, verb: 'restore', file: resolve(second) } as const);
    if (second !== undefined) return null;
    return { ...base, verb: 'backup', file: first === undefined ? undefined : resolve(first) } as const;
  } catch {
    return null;
  }
}
