import { Worker } from 'node:worker_threads';
import type { TidyLimits } from '@liminal/contracts';
import { ownEntry } from '../../program/program-files.ts';
import type { StoreWrite } from '../rows.ts';
import { StoreFailure } from '../store-failure.ts';
import type { Tidied } from '../store.ts';
import type { JobDone, TidyJob, WriteJob } from './writer-thread.ts';

export type SqliteWriter = {
  /** Durable once it resolves. */
  write(writes: readonly StoreWrite[]): Promise<void>;
  /** Resolves when tidying is done, or `close` ended it. */
  tidy(limits: TidyLimits): Promise<Tidied>;
  /** Resolves when no write is waiting; tidying may continue. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

/** Jobs copied without a pause: about half a millisecond for typical rows. */
const mostAtOnce = 50;

type Pending = { resolve: (tidied: Tidied) => void; reject: (error: Error) => void };

export function createSqliteWriter(path: string): SqliteWriter {
  const worker = new Worker(ownEntry('store/sqlite/writer-thread'), { workerData: { path } });
  const pending = new Map<number, Pending>();
  const tidying = new Map<number, Pending>();
  const idlers: (() => void)[] = [];
  const leaving: WriteJob[] = [];
  let nextId = 1;
  let gone: Error | null = null;

  const settle = (done: JobDone) => {
    const job = pending.get(done.id) ?? tidying.get(done.id);
    pending.delete(done.id);
    tidying.delete(done.id);
    if (done.error === undefined) job?.resolve(done.tidied ?? { outputs: 0, decisions: 0 });
    else job?.reject(new StoreFailure(done.error));
    if (pending.size === 0) for (const idle of idlers.splice(0)) idle();
  };
  const failAll = (error: Error) => {
    gone = error;
    for (const id of [...pending.keys(), ...tidying.keys()]) settle({ id, error: error.message });
  };
  worker.on('message', (message: unknown) => {
    // Under `node --watch` Node itself sends the names of imported files over the same port.
    if (Array.isArray(message)) for (const done of message as readonly JobDone[]) settle(done);
  });
  worker.on('error', failAll);
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      failAll(gone ?? new Error('The writer has stopped.'));
      resolve();
    });
  });

  /** Posts jobs of the same tick together: each message wakes the other thread, which may preempt this one. */
  const send = () => {
    const jobs = leaving.splice(0, mostAtOnce);
    if (jobs.length === 0) return;
    // Copying blocks this thread: a large batch of writes must not delay the sessions' output.
    if (leaving.length > 0) setImmediate(send);
    try {
      worker.postMessage(jobs);
    } catch {
      for (const job of jobs) sendAlone(job);
    }
  };
  /** One of the jobs can't be cloned: only that job fails. */
  const sendAlone = (job: WriteJob) => {
    try {
      worker.postMessage([job]);
    } catch (error) {
      settle({ id: job.id, error: String(error) });
    }
  };

  return {
    write(writes) {
      if (gone) return Promise.reject(new StoreFailure(gone.message));
      if (writes.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const id = nextId++;
        pending.set(id, { resolve: () => resolve(), reject });
        if (leaving.push({ id, writes }) === 1) process.nextTick(send);
      });
    },
    tidy(limits) {
      if (gone) return Promise.reject(new StoreFailure(gone.message));
      return new Promise((resolve, reject) => {
        const job: TidyJob = { id: nextId++, limits };
        tidying.set(job.id, { resolve, reject });
        worker.postMessage([job]);
      });
    },
    idle: () => (pending.size === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    async close() {
      while (leaving.length > 0) send();
      worker.postMessage('close');
      await ended;
    },
  };
}
