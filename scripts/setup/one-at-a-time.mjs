import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inRoot } from './paths.mjs';

const usualLock = inRoot('.liminal', 'setup.lock');
const lookEveryMs = 200;

/**
 * The lock that this process holds.
 * @type {string | undefined}
 */
let held;

/**
 * Runs a set-up while no other one runs in this folder. Two that install at once delete each other's packages, and leave
 * a node_modules that looks complete.
 * @template T
 * @param {() => Promise<T>} work
 * @param {(sentence: string) => void} onWait called once if another one runs
 * @param {string} [lock] a file that names the processes that write to the folder
 * @returns {Promise<T>}
 */
export async function oneAtATime(work, onWait, lock = usualLock) {
  let hasSaid = false;
  while (!take(lock)) {
    const found = textOf(lock);
    const running = pidsIn(found).filter(isRunning);
    if (running.length === 0) {
      remove(lock, found);
      continue;
    }
    if (!hasSaid) onWait(sentence(running, lock));
    hasSaid = true;
    await wait(lookEveryMs);
  }
  try {
    return await work();
  } finally {
    if (held !== undefined) rmSync(held, { force: true });
    held = undefined;
  }
}

/**
 * @param {number[]} running
 * @param {string} lock
 */
const sentence = (running, lock) =>
  `Another set-up runs in this folder (process ${running.join(', ')}). Waiting until it has ended …\nIf none runs, delete ${lock}.`;

/**
 * Names a program that this set-up started. If set-up is killed, the program may still be writing to the folder.
 * @param {number | undefined} pid
 */
export function noteWriter(pid) {
  if (held !== undefined && pid !== undefined) appendFileSync(held, `${pid}\n`);
}

/**
 * False if another one has the lock. A folder without locks must not prevent a start.
 * @param {string} lock
 */
function take(lock) {
  const own = `${lock}.${process.pid}`;
  try {
    mkdirSync(path.dirname(lock), { recursive: true });
    writeFileSync(own, `${process.pid}\n`);
  } catch {
    return true;
  }
  try {
    // Unlike a new file, a link has its content at once.
    linkSync(own, lock);
    held = lock;
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST';
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Removes the lock of a set-up that is gone, unless another one has just replaced it.
 * @param {string} lock
 * @param {string} stale
 */
function remove(lock, stale) {
  const aside = `${lock}.${process.pid}.old`;
  try {
    renameSync(lock, aside);
    if (textOf(aside) !== stale) linkSync(aside, lock);
  } catch {
    // Another one was faster.
  } finally {
    if (existsSync(aside)) rmSync(aside);
  }
}

/** @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} text */
const pidsIn = (text) =>
  text
    .split('\n')
    .filter((line) => /^\d+$/.test(line))
    .map(Number);

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
