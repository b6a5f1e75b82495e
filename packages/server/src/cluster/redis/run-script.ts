import { createHash } from 'node:crypto';
import type { RedisConnection, RedisReply } from './redis-client.ts';

/** A script that Redis runs atomically, so nothing can happen between a check and the write that depends on it. */
export type RedisScript = { readonly source: string; readonly sha: string };

export const redisScript = (source: string): RedisScript => ({
  source,
  sha: createHash('sha1').update(source).digest('hex'),
});

/** Sends the script by its hash, or by its text if Redis doesn't have it. */
export async function runScript(
  connection: Pick<RedisConnection, 'run'>,
  { source, sha }: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<RedisReply> {
  const rest = [String(keys.length), ...keys, ...args.map(String)];
  try {
    return await connection.run(['EVALSHA', sha, ...rest]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return connection.run(['EVAL', source, ...rest]);
  }
}
