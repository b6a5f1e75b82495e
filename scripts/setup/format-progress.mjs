/**
 * @typedef {object} Job
 * @property {string} label
 * @property {number} began in milliseconds
 * @property {(() => { done: number, total: number }) | undefined} count
 */

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * One line for the running jobs: the progress of each, or its time if the progress can't be counted.
 * @param {Job[]} jobs
 * @param {number} now
 * @param {number} [frame] of the spinner; none without it
 */
export function formatProgress(jobs, now, frame) {
  const parts = jobs.map(({ label, began, count }) => {
    const seconds = `${Math.floor((now - began) / 1000)} s`;
    const { done, total } = count?.() ?? { done: 0, total: 0 };
    // npm reads for a while before it unpacks. A count of zero would look stuck.
    if (done === 0) return `${label}, ${seconds}`;
    return `${label}: ${Math.min(done, total)} of ${total}, ${seconds}`;
  });
  const spinner = frame === undefined ? '' : `${frames[frame % frames.length]} `;
  return `${spinner}${parts.join(' · ')}`;
}
