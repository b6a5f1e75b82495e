import type { RedisConnection } from './redis-client.ts';

export type StreamEntry = { readonly id: string; readonly fields: Readonly<Record<string, string>> };
type Watched = { lastId: string; readonly onEntries: (entries: readonly StreamEntry[]) => void };
type Reply = readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] | null;

export type StreamReaderDeps = {
  /** A stream of our own: a word in it makes the reader look again at what it is to read. */
  readonly inbox: string;
  readonly poke: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
};

export type StreamReader = ReturnType<typeof createStreamReader>;

const blockMs = 3_000;
const mostEntries = 200;

/** One connection that waits for every stream this node reads, however many readers each of them has. */
export function createStreamReader({ inbox, poke, onError }: StreamReaderDeps) {
  const watched = new Map<string, Watched>();
  let generation = 0;

  const loop = async (connection: RedisConnection, mine: number): Promise<void> => {
    while (mine === generation) {
      const streams = [...watched.entries()];
      const args = ['XREAD', 'COUNT', String(mostEntries), 'BLOCK', String(blockMs), 'STREAMS'];
      const reply = (await connection.run([
        ...args,
        ...streams.map(([key]) => key),
        ...streams.map(([, { lastId }]) => lastId),
      ])) as Reply;
      if (mine !== generation) return;
      for (const [key, entries] of reply ?? []) {
        const stream = watched.get(key);
        // Unwatched, or watched anew from elsewhere, while we were reading.
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
      const stream: Watched = { lastId: fromId, onEntries };
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
      generation += 1;
      loop(connection, generation).catch((error: unknown) => {
        // A connection that broke is noticed by whoever holds it.
        if (error instanceof Error && /^(WRONGTYPE|ERR)/.test(error.message)) onError(error);
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
