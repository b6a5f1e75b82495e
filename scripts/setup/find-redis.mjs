import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The redis-server for the tests: what REDIS_SERVER_PATH names, and nothing else where it is set; else one on the PATH.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(file: string) => boolean} [exists]
 * @returns {string | undefined}
 */
export function findRedis(env = process.env, exists = existsSync) {
  const named = env.REDIS_SERVER_PATH;
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = named ? [named] : folders.map((folder) => path.join(folder, 'redis-server'));
  return candidates.find((file) => exists(file));
}
