import { isForeign, isRefusal } from './explain-redis.ts';
import type { RedisConnection } from './redis-client.ts';

export type StreamEntry = { readonly id: string; readonly fields: Readonly<Record<string, string>> };
type Watched = {
  lastId: string;
  readonly onEntries: (entries: readonly StreamEntry[]) => void;
  /** Another program overwrote this stream. It is skipped until that is fixed. */
  isForeign: boolean;
};
type Reply = readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] | null;

export type StreamReaderDeps = {
  /** A stream of our own. An entry in it makes the reader check again what to read. */
  readonly inbox: string;
  readonly poke: () => Promise<unknown>;
  /** Essential streams: if one of them can't be read, none is. */
  readonly vital: ReadonlySet<string>;
  readonly onError: (error: unknown) => void;
  /** Redis responds, but an essential stream can't be read. */
  readonly onBroken: (error: unknown) => void;
};

export type StreamReader = ReturnType<typeof createStreamReader>;

const blockMs = 3_000;
const mostEntries = 200;

/** One connection that waits on every stream this node reads, whatever the number of readers. */
export function createStreamReader({ inbox, poke, vital, onError, onBroken }: StreamReaderDeps) {
  const watched = new Map<string, Watched>();
  let generation = 0;

  /** Checks which keys are streams. One that isn't would block reading all the others. */
  const sortOut = async (connection: RedisConnection): Promise<void> => {
    for (const [key, stream] of watched) {
      stream.isForeign = !['stream', 'none'].includes(String(await connection.run(['TYPE', key])));
    }
  };
  const read = async (connection: RedisConnection, streams: readonly [string, Watched][]): Promise<Reply> => {
    const args = ['XREAD', 'COUNT', String(mostEntries), 'BLOCK', String(blockMs), 'STREAMS'];
    const [keys, ids] = [streams.map(([key]) => key), streams.map(([, { lastId }]) => lastId)];
    try {
      return (await connection.run([...args, ...keys, ...ids])) as Reply;
    } catch (error) {
      if (!isForeign(error)) throw error;
      await sortOut(connection);
      if ([...vital].some((key) => watched.get(key)?.isForeign)) throw error;
      onError(error);
      return null;
    }
  };
  const loop = async (connection: RedisConnection, mine: number): Promise<void> => {
    while (mine === generation) {
      if ([...watched.values()].some((stream) => stream.isForeign)) await sortOut(connection);
      const streams = [...watched].filter(([, stream]) => !stream.isForeign);
      const reply = await read(connection, streams);
      if (mine !== generation) return;
      for (const [key, entries] of reply ?? []) {
        const stream = watched.get(key);
        // Unwatched, or watched again from another position, during the read.
        if (!stream || !streams.some(([, one]) => one === stream)) continue;
        stream.lastId = entries.at(-1)?.[0] ?? stream.lastId;
        try {
          stream.onEntries(entries.map(([id, fields]) => ({ id, fields: pairs(fields) })));
        } catch (error) {
          onError(error);
        }
      }
    }
  };

  return {
    /** Reads a stream after the given entry, until the returned function is called. */
    watch(key: string, fromId: string, onEntries: Watched['onEntries']): () => void {
      const stream: Watched = { lastId: fromId, onEntries, isForeign: false };
      watched.set(key, stream);
      if (key !== inbox) poke().catch(() => {});
      return () => {
        if (watched.get(key) === stream) watched.delete(key);
      };
    },
    /** Reads over a new connection and keeps everything that is watched. */
    start(connection: RedisConnection): void {
      const mine = (generation += 1);
      loop(connection, mine).catch((error: unknown) => {
        if (mine === generation && isRefusal(error)) onBroken(error);
      });
    },
    stop(): void {
      generation += 1;
    },
  };
}

function pairs(fields: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (let place = 0; place < fields.length; place += 2) found[fields[place] ?? ''] = fields[place + 1] ?? '';
  return found;
}
