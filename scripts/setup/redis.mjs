import { installWithApt, machineRights } from './apt.mjs';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Makes sure that the tests of several machines have a Redis, and installs Debian's where it may. */
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
 * How redis-server gets onto a machine without one: the commands to run, or the sentence for a user who must do it.
 * Only the tests and benchmarks of several machines need it; the program itself does not.
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
