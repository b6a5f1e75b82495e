import { parentPort, workerData } from 'node:worker_threads';
import type { TidyLimits } from '@liminal/contracts';
import type { StoreWrite } from '../rows.ts';
import type { Tidied } from '../store.ts';
import { releaseMemoryWhenIdle } from '../../program/idle-memory.ts';
import { createWriteApplier } from './apply-write.ts';
import { createCheckpoints } from './checkpoints.ts';
import { openDatabase } from './open-database.ts';
import { reserveLog } from './reserve-log.ts';
import { startTidying, type Tidying } from './tidy-database.ts';

/** The only writing connection lives in this thread, so no commit ever blocks the event loop. */
export type WriteJob = { readonly id: number; readonly writes: readonly StoreWrite[] };
export type TidyJob = { readonly id: number; readonly limits: TidyLimits };
export type JobDone = { readonly id: number; readonly error?: string; readonly tidied?: Tidied };

const port = parentPort;
if (!port) throw new Error('writer-thread runs as a worker only');

const { path } = workerData as { path: string };
const database = openDatabase(path);
const apply = createWriteApplier(database);
const checkpoints = createCheckpoints(database);
let waiting: WriteJob[] = [];
let tidyJobs: TidyJob[] = [];
let tidying: Tidying | null = null;
let tidyTimer: NodeJS.Timeout | null = null;

releaseMemoryWhenIdle();

/** After the start, when nobody waits for the disk. */
const reserveMs = 300;
const reserving = setTimeout(() => {
  try {
    reserveLog(path);
  } catch {
    // Without room on disk, commits take longer or fail by themselves.
  }
}, reserveMs);

/** The pause between two steps of tidying: nobody waits for it, so it uses only a small share of the CPU. */
const tidyPauseMs = 5;
/** What a step of tidying adds to the log, counted in rows of writes. */
const rowsOfTidyStep = 15;

port.on('message', (jobs: readonly (WriteJob | TidyJob)[] | 'close') => {
  if (jobs === 'close') {
    clearTimeout(reserving);
    commit();
    while (tidyJobs.length > 0) endTidying();
    checkpoints.stop();
    database.close();
    port.close();
    return;
  }
  for (const job of jobs) {
    if ('limits' in job) {
      tidyJobs.push(job);
      tidyTimer ??= setTimeout(tidyStep, tidyPauseMs);
    } else {
      // Everything that arrives before the next turn of the event loop shares one commit.
      if (waiting.length === 0) setImmediate(commit);
      waiting.push(job);
    }
  }
});

function commit(): void {
  const jobs = waiting;
  waiting = [];
  if (jobs.length === 0) return;
  const failed = commitTogether(jobs);
  port?.postMessage(failed === null ? jobs.map(({ id }): JobDone => ({ id })) : commitOneByOne(jobs));
  checkpoints.committed(jobs.reduce((rows, { writes }) => rows + writes.length, 0));
}

function commitTogether(jobs: readonly WriteJob[]): string | null {
  try {
    database.exec('BEGIN IMMEDIATE');
    for (const job of jobs) for (const write of job.writes) apply(write);
    database.exec('COMMIT');
    return null;
  } catch (error) {
    rollBack();
    return reasonOf(error);
  }
}

/** A job that can't be written must not fail the others in its commit. */
function commitOneByOne(jobs: readonly WriteJob[]): JobDone[] {
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

/** Waiting writes go first, then one step or a checkpoint, then a pause in which more can arrive. */
function tidyStep(): void {
  commit();
  const job = tidyJobs[0];
  try {
    if (job) tidying ??= startTidying(database, job.limits);
    if (checkpoints.isDue) checkpoints.run();
    else if (tidying?.step() !== true) endTidying();
    else checkpoints.committed(rowsOfTidyStep);
  } catch (error) {
    endTidying(reasonOf(error));
  }
  tidyTimer = tidyJobs.length > 0 ? setTimeout(tidyStep, tidyPauseMs) : null;
}

function endTidying(error?: string): void {
  const [job, ...others] = tidyJobs;
  const tidied = tidying?.tidied() ?? { outputs: 0, decisions: 0 };
  tidyJobs = others;
  tidying = null;
  if (tidyTimer && others.length === 0) clearTimeout(tidyTimer);
  if (job) port?.postMessage([error === undefined ? { id: job.id, tidied } : { id: job.id, error }]);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
