/**
 * @typedef {object} TestFile
 * @property {string} path
 * @property {number} bytes
 */

/** An estimate for a file that never ran: integration tests take about a second per 400 bytes. */
const bytesPerSecond = 400;

/**
 * Sorts the longest first. A long file that starts last keeps one worker busy while the others have nothing left to do.
 * @template {TestFile} T
 * @param {readonly T[]} files
 * @param {(path: string) => number | undefined} expectedMs
 */
export function longestFirst(files, expectedMs) {
  const weigh = (/** @type {T} */ file) => expectedMs(file.path) ?? (file.bytes / bytesPerSecond) * 1000;
  return files.toSorted((one, other) => weigh(other) - weigh(one) || one.path.localeCompare(other.path));
}

/**
 * @param {import('./durations.mjs').Durations} durations
 * @param {{ since: number, count: number }} which
 */
export function slowestFiles(durations, { since, count }) {
  return Object.entries(durations)
    .filter(([, { ranAt }]) => ranAt >= since)
    .toSorted(([, one], [, other]) => other.ms - one.ms)
    .slice(0, count)
    .map(([file, { ms }]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
}
