import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';

export type RedisReply = string | number | null | readonly RedisReply[];

/** One connection. It never reconnects by itself: its owner is notified when it is lost, and opens another. */
export type RedisConnection = {
  /** Commands sent close together are pipelined. Replies come in order. */
  run(args: readonly string[]): Promise<RedisReply>;
  onClosed(listener: (error: Error) => void): void;
  destroy(): void;
};

export type RedisAddress = {
  /** `redis://` or, with TLS, `rediss://`, including user and password. */
  readonly url: string;
  /** A file with the CA certificate for the server. */
  readonly caFile: string | null;
};

const connectMs = 5_000;
/** A connection that is silent for this long is dead. Ours always send something earlier. */
const silentMs = 15_000;

export async function connectRedis({ url, caFile }: RedisAddress): Promise<RedisConnection> {
  const listeners = new Set<(error: Error) => void>();
  let gone: Error | null = null;
  const common = { connectTimeout: connectMs, socketTimeout: silentMs, reconnectStrategy: false as const };
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: url.startsWith('rediss:')
      ? { ...common, tls: true as const, ...(caFile === null ? {} : { ca: readFileSync(caFile) }) }
      : common,
  });
  const end = (error: Error): void => {
    if (gone) return;
    gone = error;
    for (const listener of listeners) listener(error);
  };
  client.on('error', (error: unknown) => end(error instanceof Error ? error : new Error(String(error))));
  client.on('end', () => end(new Error('The connection to Redis was closed.')));
  await client.connect();
  return {
    run: (args) => client.sendCommand<RedisReply>(args),
    onClosed(listener) {
      if (gone) listener(gone);
      else listeners.add(listener);
    },
    destroy() {
      listeners.clear();
      gone = new Error('closed');
      if (client.isOpen) client.destroy();
    },
  };
}
