import type { ItemRow, StoreWrite } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

export type ItemWriter = {
  /** Takes the newest state of an item; `ended` ones are written at the next chance, growing ones at the interval. */
  put(row: ItemRow, ended: boolean): void;
  /** Other things that follow from what an agent did; `written` is called once they are on disk. */
  add(write: StoreWrite, written?: () => void): void;
  /** Everything taken so far is durable. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type ItemWriterDeps = {
  readonly store: Store;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
  /** These states are on disk now; whoever holds them in memory may let go. */
  readonly onWritten?: (rows: readonly ItemRow[]) => void;
};

/** Writes behind what agents say: only the newest state of each item waits, however often it changed. */
export function createItemWriter({ store, intervalMs, onError, onWritten }: ItemWriterDeps): ItemWriter {
  const dirty = new Map<string, ItemRow>();
  let others: { write: StoreWrite; written: (() => void) | undefined }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let soon: NodeJS.Immediate | null = null;
  let writing: Promise<void> | null = null;

  const hasWork = () => dirty.size > 0 || others.length > 0;

  // One batch is under way at a time, so that a slow disk makes batches larger, not longer.
  const write = (): Promise<void> => {
    if (writing) return writing.then(() => (hasWork() ? write() : undefined));
    if (timer) clearTimeout(timer);
    if (soon) clearImmediate(soon);
    timer = soon = null;
    if (!hasWork()) return Promise.resolve();
    const rows = [...dirty.values()];
    const batch = others;
    const puts = rows.map((row) => ({ type: 'put-item', row }) as const);
    dirty.clear();
    others = [];
    writing = store
      .write([...batch.map(({ write: other }) => other), ...puts])
      .then(() => {
        for (const { written } of batch) written?.();
        onWritten?.(rows);
      })
      .catch(onError)
      .finally(() => {
        writing = null;
      });
    return writing;
  };

  const writeSoon = () => {
    soon ??= setImmediate(() => void write());
  };

  return {
    put(row, ended) {
      dirty.set(`${row.sessionId}\n${row.itemId}`, row);
      if (ended) writeSoon();
      else timer ??= setTimeout(() => void write(), intervalMs);
    },
    add(other, written) {
      others.push({ write: other, written });
      writeSoon();
    },
    async flush() {
      await write();
      await store.idle();
    },
    async close() {
      await write();
      await store.idle();
    },
  };
}
