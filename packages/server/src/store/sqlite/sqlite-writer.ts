import { Worker } from 'node:worker_threads';
import type { StoreWrite } from '../rows.ts';
import { StoreFailure } from '../store-failure.ts';
import type { WriteDone, WriteJob } from './writer-thread.ts';

export type SqliteWriter = {
  /** Durable once it resolves. */
  write(writes: readonly StoreWrite[]): Promise<void>;
  idle(): Promise<void>;
  close(): Promise<void>;
};

type Pending = { resolve: () => void; reject: (error: Error) => void };

export function createSqliteWriter(path: string): SqliteWriter {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { path } });
  const pending = new Map<number, Pending>();
  const idlers: (() => void)[] = [];
  let nextId = 1;
  let gone: Error | null = null;

  const settle = (done: WriteDone) => {
    const job = pending.get(done.id);
    pending.delete(done.id);
    if (done.error === undefined) job?.resolve();
    else job?.reject(new StoreFailure(done.error));
    if (pending.size === 0) for (const idle of idlers.splice(0)) idle();
  };
  const failAll = (error: Error) => {
    gone = error;
    for (const id of pending.keys()) settle({ id, error: error.message });
  };
  worker.on('message', settle);
  worker.on('error', failAll);
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      failAll(gone ?? new Error('The writer has stopped.'));
      resolve();
    });
  });

  return {
    write(writes) {
      if (gone) return Promise.reject(new StoreFailure(gone.message));
      if (writes.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const id = nextId++;
        // First, for it throws where something cannot be copied: nobody would ever settle that job.
        worker.postMessage({ id, writes } satisfies WriteJob);
        pending.set(id, { resolve, reject });
      });
    },
    idle: () => (pending.size === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    async close() {
      worker.postMessage('close');
      await ended;
    },
  };
}
