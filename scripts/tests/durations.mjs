import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';

/** @typedef {{ readonly ms: number, readonly ranAt: number }} Duration how long a test file took, and when it ended */
/** @typedef {Record<string, Duration>} Durations by the file's path from the root */

/** What runs on this machine took; the next run is planned with it. */
const measuredFile = inRoot('node_modules', '.cache', 'liminal', 'test-durations.json');
/** What they took on another machine, for the first run on this one: `node scripts/tests/keep-durations.mjs` writes it. */
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
export const measuredDurations = () => readRecord(measuredFile);

/** @param {Durations} durations */
export function rememberDurations(durations) {
  mkdirSync(path.dirname(measuredFile), { recursive: true });
  writeFileSync(measuredFile, JSON.stringify({ ...measuredDurations(), ...durations }));
}

/** How long a file is expected to take, in milliseconds; undefined for one that never ran. */
export function expectedDurations() {
  const kept = /** @type {Record<string, number>} */ (readRecord(keptFile));
  const measured = measuredDurations();
  return (/** @type {string} */ file) => measured[file]?.ms ?? (file in kept ? (kept[file] ?? 0) * 1000 : undefined);
}

/** Writes what was measured here, in whole seconds, to the file that new machines begin with; returns how many. */
export function keepDurations() {
  const seconds = Object.entries(measuredDurations())
    .map(([file, { ms }]) => /** @type {const} */ ([file, Math.round(ms / 1000)]))
    .filter(([, time]) => time > 0)
    .toSorted(([one], [other]) => one.localeCompare(other));
  writeFileSync(keptFile, `${JSON.stringify(Object.fromEntries(seconds), undefined, 2)}\n`);
  return seconds.length;
}
