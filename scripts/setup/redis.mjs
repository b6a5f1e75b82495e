import { installWithApt, machineRights } from './apt.mjs';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Makes sure that the cluster tests have a Redis, and installs Debian's if possible. */
export async function ensureRedis() {
  if (findRedis() !== undefined) return;
  await installWithApt({
    what: 'redis-server for the tests',
    plan: planRedis({ redisPath: process.env.REDIS_SERVER_PATH, ...machineRights() }),
    isThere: () => findRedis() !== undefined,
    otherwise: 'set REDIS_SERVER_PATH to its program file',
  });
}

/**
 * @typedef {object} Machine
 * @property {string | undefined} redisPath what REDIS_SERVER_PATH says
 * @property {boolean} hasApt Debian, Ubuntu and their kin
 * @property {boolean} isRoot
 * @property {boolean} hasSudo sudo that asks for no password
 */

/**
 * How to install a missing redis-server: the packages, or advice for a user who must do it. Only the tests and
 * benchmarks of a cluster need it.
 * @param {Machine} machine
 * @returns {import('./apt.mjs').Plan}
 */
export function planRedis(machine) {
  if (machine.redisPath) {
    return { advice: `REDIS_SERVER_PATH names ${machine.redisPath}, which does not exist. Correct it or unset it.` };
  }
  if (!machine.hasApt) {
    return {
      advice:
        'The tests of several machines need redis-server, 6.2 or newer. Install it, or set REDIS_SERVER_PATH to its program file.',
    };
  }
  if (!machine.isRoot && !machine.hasSudo) {
    return {
      advice:
        'The tests of several machines need redis-server. Run `sudo apt-get update && sudo apt-get install -y redis-server`, or set REDIS_SERVER_PATH to its program file.',
    };
  }
  return { packages: ['redis-server'], isRoot: machine.isRoot };
}

/**
 * The redis-server for the tests: only REDIS_SERVER_PATH if it is set, otherwise one on the PATH.
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
