import { explainRedis, evicts, lacksCommands, unfit } from './explain-redis.ts';
import { connectRedis, type RedisAddress, type RedisConnection } from './redis-client.ts';

/** A node's connections to Redis: one for commands, and two that block on news and on commands from other nodes. */
export type RedisLines = {
  readonly main: RedisConnection;
  readonly reader: RedisConnection;
  readonly commands: RedisConnection;
};

export type RedisLinkDeps = {
  readonly address: RedisAddress;
  /** Called with every new set of connections. Until it resolves, we count as disconnected. */
  readonly onUp: (lines: RedisLines) => Promise<void>;
  /** Redis can't be reached or isn't suitable. Called again only when the reason changes. */
  readonly onDown: (reason: string) => void;
  readonly onWarning: (sentence: string) => void;
  readonly connect?: (address: RedisAddress) => Promise<RedisConnection>;
};

/** An error whose message is already meant for users. */
export class RedisUserError extends Error {}

const waits = [100, 200, 400, 800, 1_500];

/** Keeps the connections to Redis open. When one breaks, it reopens all of them, for as long as it takes. */
export function createRedisLink({ address, onUp, onDown, onWarning, connect = connectRedis }: RedisLinkDeps) {
  let lines: RedisLines | null = null;
  let failures = 0;
  let attempts = 0;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const drop = (error: unknown): void => {
    if (isClosed || timer) return;
    const held = lines;
    lines = null;
    for (const line of Object.values(held ?? {})) line.destroy();
    onDown(error instanceof RedisUserError ? error.message : explainRedis(error, address.url));
    timer = setTimeout(() => void open(), waits[Math.min(failures, waits.length - 1)] ?? 1_500);
    failures += 1;
  };

  const open = async (): Promise<void> => {
    timer = null;
    const attempt = (attempts += 1);
    const opened: RedisConnection[] = [];
    try {
      for (let count = 0; count < 3; count += 1) opened.push(await connect(address));
      const [main, reader, commands] = opened as [RedisConnection, RedisConnection, RedisConnection];
      if (isClosed) throw new Error('closed');
      const mine = { main, reader, commands };
      // Set now, so closing destroys them from here on.
      lines = mine;
      const info = String(await main.run(['INFO']));
      const reason = unfit(info);
      if (reason !== null) throw new RedisUserError(reason);
      const missing = await missingCommands(main);
      if (missing.length > 0) throw new RedisUserError(lacksCommands(address.url, missing.join(', ')));
      if (isClosed) throw new Error('closed');
      const policy = evicts(info);
      if (policy !== null) onWarning(`Redis may evict our keys (maxmemory-policy ${policy}). Use noeviction.`);
      for (const line of opened) line.onClosed(drop);
      await onUp(mine);
      failures = 0;
    } catch (error) {
      for (const line of opened) line.destroy();
      // It was dropped long ago, and the next one is under way.
      if (attempt !== attempts) return;
      lines = null;
      drop(error);
    }
  };
  return {
    start: (): void => void open(),
    /** Starts over with new connections. */
    drop,
    close(): void {
      isClosed = true;
      if (timer) clearTimeout(timer);
      for (const line of Object.values(lines ?? {})) line.destroy();
      lines = null;
    },
  };
}

/** Every Redis command we use, in scripts and outside of them. */
const needed =
  'DEL EVAL EVALSHA EXPIRE GET HDEL HGET HGETALL HMGET HSCAN HSET HSETNX HSTRLEN INCR TIME TYPE XACK XADD XDEL XGROUP XREAD XREADGROUP XREVRANGE XTRIM ZADD ZRANGEBYSCORE ZREVRANGEBYSCORE ZSCORE';

/** Those of them that this Redis lacks, because its administrator disabled them. */
export async function missingCommands(connection: Pick<RedisConnection, 'run'>): Promise<readonly string[]> {
  const names = needed.split(' ');
  try {
    const known = (await connection.run(['COMMAND', 'INFO', ...names])) as readonly unknown[];
    return names.filter((_, place) => !Array.isArray(known[place]));
  } catch {
    // Listing commands may be disabled too. A missing command then fails when it is used.
    return [];
  }
}
