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
function formatProgress(jobs, now, frame) {
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

/**
 * @typedef {object} Screen
 * @property {boolean} isTerminal whether a line can be written over
 * @property {(text: string) => void} write
 * @property {() => number} now in milliseconds
 * @property {(tick: () => void, ms: number) => () => void} every calls until what it returns is called
 */

const frameMs = 120;
/** In a log, where lines stay, one now and then is enough. */
const lineMs = 10_000;
const eraseLine = '\r\u001B[K';

/**
 * Shows the progress of running jobs: as one animated line in a terminal, elsewhere as a line now and then.
 * @param {Screen} screen
 */
export function createProgress({ isTerminal, write, now, every }) {
  /** @type {Set<Job>} */
  const jobs = new Set();
  let frame = 0;
  /** @type {(() => void) | undefined} */
  let stop;

  const draw = () => {
    frame += 1;
    const line = formatProgress([...jobs], now(), isTerminal ? frame : undefined);
    write(isTerminal ? `${eraseLine}${line}` : `${line}\n`);
  };
  /** @param {string} line */
  const say = (line) => {
    write(isTerminal ? `${eraseLine}${line}\n` : `${line}\n`);
    if (isTerminal && jobs.size > 0) draw();
  };

  return {
    say,
    /**
     * Shows a job while it runs.
     * @template T
     * @param {string} label what is being done, as "Building the page"
     * @param {() => Promise<T>} work
     * @param {() => { done: number, total: number }} [count] how far it is
     * @returns {Promise<T>}
     */
    async track(label, work, count) {
      const job = { label, began: now(), count };
      jobs.add(job);
      if (isTerminal) draw();
      else write(`${label} …\n`);
      stop ??= every(draw, isTerminal ? frameMs : lineMs);
      try {
        return await work();
      } finally {
        jobs.delete(job);
        if (jobs.size === 0) {
          stop?.();
          stop = undefined;
        }
        say(`${label}: ${Math.round((now() - job.began) / 1000)} s`);
      }
    },
  };
}

/** Always on stderr, because stdout belongs to the program that starts afterwards. */
export const { say, track } = createProgress({
  isTerminal: process.stderr.isTTY === true,
  write: (text) => process.stderr.write(text),
  now: () => performance.now(),
  every(tick, ms) {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
});
