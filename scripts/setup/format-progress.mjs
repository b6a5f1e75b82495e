/**
 * @typedef {object} Job
 * @property {string} label
 * @property {number} began in milliseconds
 * @property {(() => { done: number, total: number }) | undefined} count
 */

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * One line for the jobs that run: how far each is, or how long it has taken where that cannot be counted.
 * @param {Job[]} jobs
 * @param {number} now
 * @param {number} [frame] of the spinner; none without it
 */
export function formatProgress(jobs, now, frame) {
  const parts = jobs.map(({ label, began, count }) => {
    const seconds = `${Math.floor((now - began) / 1000)} s`;
    const { done, total } = count?.() ?? { done: 0, total: 0 };
    // npm reads for a while before it unpacks: a count that is at nothing would look stuck.
    if (done === 0) return `${label}, ${seconds}`;
    return `${label}: ${Math.min(done, total)} of ${total}, ${seconds}`;
  });
  const spinner = frame === undefined ? '' : `${frames[frame % frames.length]} `;
  return `${spinner}${parts.join(' · ')}`;
}
