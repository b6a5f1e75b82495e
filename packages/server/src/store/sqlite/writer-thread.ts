import { parentPort, workerData } from 'node:worker_threads';
import type { StoreWrite } from '../rows.ts';
import { createWriteApplier } from './apply-write.ts';
import { openDatabase } from './open-database.ts';

/** The one connection that writes lives in this thread, so that no commit ever holds up the event loop. */
export type WriteJob = { readonly id: number; readonly writes: readonly StoreWrite[] };
export type WriteDone = { readonly id: number; readonly error?: string };

const port = parentPort;
if (!port) throw new Error('writer-thread runs as a worker only');

const database = openDatabase((workerData as { path: string }).path);
const apply = createWriteApplier(database);
let waiting: WriteJob[] = [];

port.on('message', (jobs: readonly WriteJob[] | 'close') => {
  if (jobs === 'close') {
    commit();
    database.close();
    port.close();
    return;
  }
  // Everything that has arrived by the next turn of the loop shares one commit.
  if (waiting.length === 0) setImmediate(commit);
  waiting.push(...jobs);
});

function commit(): void {
  const jobs = waiting;
  waiting = [];
  if (jobs.length === 0) return;
  const failed = commitTogether(jobs);
  port?.postMessage(failed === null ? jobs.map(({ id }): WriteDone => ({ id })) : commitOneByOne(jobs));
}

function commitTogether(jobs: readonly WriteJob[]): string | null {
  try {
    database.exec('BEGIN IMMEDIATE');
    for (const job of jobs) for (const write of job.writes) apply(write);
    database.exec('COMMIT');
    return null;
  } catch (error) {
    rollBack();
    return error instanceof Error ? error.message : String(error);
  }
}

/** One job that cannot be written must not take down the others that happened to share its commit. */
function commitOneByOne(jobs: readonly WriteJob[]): WriteDone[] {
  return jobs.map((job) => {
    const error = commitTogether([job]);
    return error === null ? { id: job.id } : { id: job.id, error };
  });
}

function rollBack(): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // No transaction was open: BEGIN itself failed.
  }
}
