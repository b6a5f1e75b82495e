// node scripts/run-steps.mjs STEP[+STEP…]…: runs the steps in order, those joined by + at the same time, says the time of
// each, and stops after the first group that failed. At the end it lists the slowest test files.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { inRoot, root } from './setup/paths.mjs';
import { readGroups, steps } from './steps.mjs';
import { measuredDurations } from './tests/durations.mjs';
import { slowestFiles } from './tests/order-files.mjs';

const env = {
  ...process.env,
  PATH: [inRoot('node_modules', '.bin'), process.env.PATH].join(path.delimiter),
  // What is printed through us keeps its colours.
  ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
};

/**
 * Runs one step and resolves to whether it succeeded.
 * @param {string} name
 * @param {boolean} isAlone one that runs beside others prints when it has ended, so that they do not mix
 * @returns {Promise<boolean>}
 */
function runStep(name, isAlone) {
  const [command = '', ...args] = steps[name] ?? [];
  const title = `── ${name}: ${[command, ...args].join(' ')}\n`;
  const began = performance.now();
  let output = title;
  if (isAlone) process.stdout.write(title);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: isAlone ? 'inherit' : ['inherit', 'pipe', 'pipe'] });
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    /** @param {string} ending */
    const end = (ending, isOk = false) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(`${isAlone ? '' : output}── ${name}: ${ending} ${seconds} s\n`);
      resolve(isOk);
    };
    child.once('error', (error) => end(`could not start (${error.message}),`));
    child.once('close', (code) => (code === 0 ? end('ok,', true) : end('failed after')));
  });
}

const read = readGroups(process.argv.slice(2));
if ('unknown' in read) {
  console.error(`No step is called "${read.unknown}". The steps are: ${Object.keys(steps).join(', ')}.`);
  process.exit(1);
}

const since = Date.now();
for (const group of read.groups) {
  const ended = await Promise.all(group.map((name) => runStep(name, group.length === 1)));
  if (ended.includes(false)) {
    process.exitCode = 1;
    break;
  }
}
const slowest = slowestFiles(measuredDurations(), { since, count: 10 });
if (slowest.length > 0) console.log(`── The slowest test files\n${slowest.join('\n')}`);
