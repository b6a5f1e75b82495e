import { isForeign, isRefusal } from './explain-redis.ts';
import type { RedisConnection } from './redis-client.ts';

export type StreamEntry = { readonly id: string; readonly fields: Readonly<Record<string, string>> };
type Watched = {
  lastId: string;
  readonly onEntries: (entries: readonly StreamEntry[]) => void;
  /** Another program has put something else in its place: left out until that is gone. */
  isForeign: boolean;
};
type Reply = readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] | null;

export type StreamReaderDeps = {
  /** A stream of our own: an entry in it makes the reader look again at what to read. */
  readonly inbox: string;
  readonly poke: () => Promise<unknown>;
  /** Without these we learn of nothing and nobody: where one of them cannot be read, nothing is. */
  readonly vital: ReadonlySet<string>;
  readonly onError: (error: unknown) => void;
  /** Redis answers, and what we need cannot be read. */
  readonly onBroken: (error: unknown) => void;
};

export type StreamReader = ReturnType<typeof createStreamReader>;

const blockMs = 3_000;
const mostEntries = 200;

/** One connection that waits for every stream this node reads, however many readers each of them has. */
export function createStreamReader({ inbox, poke, vital, onError, onBroken }: StreamReaderDeps) {
  const watched = new Map<string, Watched>();
  let generation = 0;

  /** Looks which streams are streams. One that is not would keep all the others from being read. */
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
        // Unwatched, or watched again from elsewhere, while we were reading.
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
    /** Reads a stream from behind that entry on, until the function it gives back is called. */
    watch(key: string, fromId: string, onEntries: Watched['onEntries']): () => void {
      const stream: Watched = { lastId: fromId, onEntries, isForeign: false };
      watched.set(key, stream);
      if (key !== inbox) poke().catch(() => {});
      return () => {
        if (watched.get(key) === stream) watched.delete(key);
      };
    },
    /** Where a watched stream has been read to. */
    lastId: (key: string): string | undefined => watched.get(key)?.lastId,
    /** Reads over a new connection. What is watched stays so. */
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
