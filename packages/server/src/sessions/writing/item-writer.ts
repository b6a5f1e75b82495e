import type { ItemRow, StoreWrite, TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { rowOfWrite, sessionOfWrite } from '../../store/write-identity.ts';
import type { UnwrittenTurns } from '../history/history-reader.ts';

export type ItemWriter = {
  /** Takes the newest state of an item; `ended` ones are written at the next chance, growing ones at the interval. */
  put(row: ItemRow, ended: boolean): void;
  /** Other writes that follow from an agent's actions; `written` is called once they, or newer ones, are on disk. */
  add(write: StoreWrite, written?: () => void): void;
  /** What a user did: durable once it resolves. Older waiting states of the same rows are never written after it. */
  write(writes: readonly StoreWrite[]): Promise<void>;
  /** Resolves when everything taken so far is durable, of all sessions or of one; rejects if it couldn't be written. */
  flush(sessionId?: string): Promise<void>;
  /** Tries once more to write what is waiting; never rejects. */
  close(): Promise<void>;
};

export type ItemWriterDeps = {
  readonly store: Store;
  readonly intervalMs: number;
  /** The first wait after a failure; it doubles up to half a minute. */
  readonly retryMs?: number;
  readonly onError: (error: unknown) => void;
  /** These states are on disk; memory may release them. */
  readonly onWritten?: (rows: readonly ItemRow[]) => void;
  /** This session's output can't be written at present; null once it can again. */
  readonly onTrouble?: (sessionId: string, error: unknown) => void;
};

type Entry = {
  readonly key: string;
  readonly sessionId: string;
  readonly write: StoreWrite;
  readonly written: (() => void) | undefined;
  /** When the oldest state it replaced arrived, by a monotonic clock. */
  readonly since: number;
  /** A newer state was written meanwhile, so this one must not be retried. */
  isStale: boolean;
};

/** A session whose last write failed: it waits before the next try, then writes row by row to find the bad one. */
type Trouble = { readonly waitMs: number; readonly error: unknown; isResting: boolean };

const longestWaitMs = 30_000;
/** Writes due within this time share a commit; later ones get their own. */
const togetherMs = 25;

/**
 * Writes agents' output with a delay: only the newest state of each row waits, however often it changed. Failed writes
 * wait and are retried; a failure in one session doesn't affect others.
 */
export function createItemWriter(deps: ItemWriterDeps): ItemWriter {
  const { store, intervalMs, retryMs = 1_000, onError, onWritten, onTrouble } = deps;
  const waiting = new Map<string, Entry>();
  const underWay = new Map<string, Entry>();
  const troubles = new Map<string, Trouble>();
  let timer: NodeJS.Timeout | null = null;
  let soon: NodeJS.Immediate | null = null;
  let round: Promise<void> | null = null;
  const besides = new Set<Promise<void>>();
  let others = 0;

  // Only one round runs at a time: on a slow disk, rounds get larger instead of piling up.
  const writeRound = (evenResting = false, until = Number.POSITIVE_INFINITY): Promise<void> => {
    if (round) return round.then(() => writeRound(evenResting, until));
    if (timer) clearTimeout(timer);
    if (soon) clearImmediate(soon);
    // An immediate write must not wait because something else was due a moment earlier.
    const latest = soon ? Number.POSITIVE_INFINITY : until;
    timer = soon = null;
    const ready = [...waiting.values()].filter(({ sessionId }) => evenResting || !troubles.get(sessionId)?.isResting);
    const due = ready.filter(({ since }) => since <= latest);
    // `waiting` is in order of arrival.
    const next = ready.find(({ since }) => since > latest);
    if (next) writeAfter(next.since + intervalMs - performance.now());
    if (due.length === 0) return Promise.resolve();
    round = post(due).finally(() => {
      round = null;
    });
    return round;
  };

  const post = async (due: readonly Entry[]): Promise<void> => {
    for (const entry of due) {
      waiting.delete(entry.key);
      const older = underWay.get(entry.key);
      if (older) older.isStale = true;
      underWay.set(entry.key, entry);
    }
    const bySession = Map.groupBy(due, (entry) => entry.sessionId);
    // One call per session: the store commits them together, but a write that fails doesn't affect other sessions.
    await Promise.all([...bySession].map(([sessionId, entries]) => writeSession(sessionId, entries))).catch(onError);
  };

  /** Writes what waits of these sessions although a round runs. The store keeps the order, so nobody has to wait. */
  const writeBeside = (sessionIds: ReadonlySet<string>): void => {
    const due = [...waiting.values()].filter(
      ({ sessionId }) => sessionIds.has(sessionId) && !troubles.get(sessionId)?.isResting,
    );
    if (due.length === 0) return;
    const posted = post(due).finally(() => besides.delete(posted));
    besides.add(posted);
  };

  const writeSession = async (sessionId: string, entries: readonly Entry[]): Promise<void> => {
    const jobs = troubles.has(sessionId) ? entries.map((entry) => [entry]) : [entries];
    const results = await Promise.allSettled(jobs.map((job) => store.write(job.map(({ write }) => write))));
    for (const entry of entries) if (underWay.get(entry.key) === entry) underWay.delete(entry.key);
    for (const [index, job] of jobs.entries()) {
      if (results[index]?.status === 'fulfilled') settle(job);
      else putBack(job);
    }
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) rest(sessionId, failed.reason);
    else if (troubles.delete(sessionId)) onTrouble?.(sessionId, null);
  };

  const settle = (entries: readonly Entry[]): void => {
    for (const { written } of entries) written?.();
    onWritten?.(entries.flatMap(({ write }) => (write.type === 'put-item' ? [write.row] : [])));
  };

  const putBack = (entries: readonly Entry[]): void => {
    for (const entry of entries) {
      if (entry.isStale) entry.written?.();
      else if (!waiting.has(entry.key)) waiting.set(entry.key, entry);
    }
  };

  /** A user's write may have replaced the failed one; then nothing is left to retry. */
  const endTrouble = (sessionId: string): boolean => {
    const isOfIt = (entry: Entry): boolean => entry.sessionId === sessionId;
    if (waiting.values().some(isOfIt) || underWay.values().some(isOfIt) || !troubles.delete(sessionId)) return false;
    onTrouble?.(sessionId, null);
    return true;
  };

  const rest = (sessionId: string, error: unknown): void => {
    const before = troubles.get(sessionId);
    const waitMs = before ? Math.min(longestWaitMs, before.waitMs * 2) : retryMs;
    const trouble = { waitMs, error, isResting: true };
    troubles.set(sessionId, trouble);
    setTimeout(() => {
      trouble.isResting = false;
      if (!endTrouble(sessionId)) void writeRound();
    }, waitMs).unref();
    onError(error);
    onTrouble?.(sessionId, error);
  };

  const take = (write: StoreWrite, written?: () => void): void => {
    const key = rowOfWrite(write) ?? `other\n${(others += 1)}`;
    const since = waiting.get(key)?.since ?? performance.now();
    waiting.set(key, { key, sessionId: sessionOfWrite(write), write, written, since, isStale: false });
  };
  /** Spreads the writes of many sessions: a burst would block the CPU long enough for readers to notice. */
  const writeAfter = (ms: number): void => {
    timer ??= setTimeout(
      () => {
        timer = null;
        void writeRound(false, performance.now() - intervalMs + togetherMs);
      },
      Math.max(0, ms),
    );
  };
  const writeSoon = (): void => {
    soon ??= setImmediate(() => void writeRound());
  };

  /** The older states these writes replace: removed from the queue, and not retried if they are being written. */
  const supersede = (writes: readonly StoreWrite[]): Entry[] => {
    const keys = new Set(writes.map(rowOfWrite));
    const removed = new Set(writes.flatMap((write) => (write.type === 'remove-session' ? [write.sessionId] : [])));
    const isOlder = (entry: Entry): boolean => keys.has(entry.key) || removed.has(entry.sessionId);
    for (const entry of underWay.values()) if (isOlder(entry)) entry.isStale = true;
    const older = [...waiting.values()].filter(isOlder);
    for (const { key } of older) waiting.delete(key);
    return older;
  };

  return {
    put(row, ended) {
      take({ type: 'put-item', row });
      if (ended) writeSoon();
      else writeAfter(intervalMs);
    },
    add(write, written) {
      take(write, written);
      writeSoon();
    },
    async write(writes) {
      const older = supersede(writes);
      // Earlier writes go first, so a crash doesn't leave the next turn on disk without the previous one.
      if (round) writeBeside(new Set(writes.map(sessionOfWrite)));
      else void writeRound();
      try {
        await store.write(writes);
      } catch (error) {
        putBack(older);
        if (older.length > 0) writeSoon();
        throw error;
      }
      for (const { written } of older) written?.();
      for (const { sessionId } of older) endTrouble(sessionId);
    },
    async flush(sessionId) {
      await Promise.all(besides);
      await writeRound(true);
      await store.idle();
      const [trouble] = sessionId === undefined ? troubles.values() : [troubles.get(sessionId)];
      if (trouble) throw trouble.error;
    },
    async close() {
      await Promise.all(besides);
      await writeRound(true);
      await store.idle();
    },
  };
}

/** Turn rows being written: readable until they are on disk. */
export function createUnwrittenTurns(writer: ItemWriter): UnwrittenTurns & { put(write: StoreWrite): void } {
  const rows = new Map<string, TurnRow>();
  return {
    unwritten: () => [...rows.values()],
    put(write) {
      if (write.type !== 'put-turn') return writer.add(write);
      const { row } = write;
      rows.set(row.turnId, row);
      writer.add(write, () => {
        if (rows.get(row.turnId) === row) rows.delete(row.turnId);
      });
    },
  };
}
