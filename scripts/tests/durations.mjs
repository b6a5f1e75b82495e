import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';

/** @typedef {{ readonly ms: number, readonly ranAt: number }} Duration how long a test file took, and when it ended */
/** @typedef {Record<string, Duration>} Durations by the file's path from the root */

/**
 * How long runs on this machine took, to plan the next one. One file per project, because two of them run in parallel.
 */
const measured = inRoot('node_modules', '.cache', 'liminal', 'test-durations');
/**
 * Durations from another machine, for the first run on this one. `node scripts/tests/keep-durations.mjs` writes them.
 */
const keptFile = inRoot('scripts', 'tests', 'durations.json');

/**
 * @template T
 * @param {string} file
 * @returns {Record<string, T>}
 */
function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** @returns {Durations} */
export const measuredDurations = () =>
  Object.assign({}, ...globSync(path.join(measured, '*.json')).map((file) => readRecord(file)));

/**
 * @param {string} project
 * @param {Durations} durations of some of its files, or all
 */
export function rememberDurations(project, durations) {
  const file = path.join(measured, `${project}.json`);
  mkdirSync(measured, { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readRecord(file), ...durations }));
}

/** How long a file is expected to take, in milliseconds. Undefined for one that never ran. */
export function expectedDurations() {
  const kept = /** @type {Record<string, number>} */ (readRecord(keptFile));
  const known = measuredDurations();
  return (/** @type {string} */ file) => known[file]?.ms ?? (file in kept ? (kept[file] ?? 0) * 1000 : undefined);
}

/** Writes the measured durations, in whole seconds, to the file that new machines start with. Returns their number. */
export function keepDurations() {
  const seconds = Object.entries(measuredDurations())
    .map(([file, { ms }]) => /** @type {const} */ ([file, Math.round(ms / 1000)]))
    .filter(([, time]) => time > 0)
    .toSorted(([one], [other]) => one.localeCompare(other));
  writeFileSync(keptFile, `${JSON.stringify(Object.fromEntries(seconds), undefined, 2)}\n`);
  return seconds.length;
}
