import type { RedisConnection } from './redis-client.ts';

/** Everything we ask of Redis, in scripts and outside of them. */
const needed =
  'DEL EVAL EVALSHA EXPIRE GET HDEL HGET HGETALL HMGET HSET HSETNX HSTRLEN INCR TIME TYPE XACK XADD XDEL XGROUP XREAD XREADGROUP XREVRANGE XTRIM ZADD ZRANGEBYSCORE ZREVRANGEBYSCORE ZSCORE';

/** Those of them that this Redis lacks, since whoever runs it has switched them off. */
export async function missingCommands(connection: Pick<RedisConnection, 'run'>): Promise<readonly string[]> {
  const names = needed.split(' ');
  try {
    const known = (await connection.run(['COMMAND', 'INFO', ...names])) as readonly unknown[];
    return names.filter((_, place) => !Array.isArray(known[place]));
  } catch {
    // Not even this may be asked: what is missing will say so itself.
    return [];
  }
}
