// node scripts/run-steps.mjs STEP[+STEP…]…: runs the steps in order, those joined by + in parallel, prints the time of
// each, and stops after the first group that failed. Failed test files with real programs get a second try (see
// tests/second-try.mjs). At the end it lists the slowest test files, and those that needed a second try.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { inRoot, root } from './setup/paths.mjs';
import { readGroups, steps } from './steps.mjs';
import { measuredDurations } from './tests/durations.mjs';
import { slowestFiles } from './tests/order-files.mjs';
import { deservesSecondTry, failedFiles, forgetFailed } from './tests/second-try.mjs';

const env = {
  ...process.env,
  PATH: [inRoot('node_modules', '.bin'), process.env.PATH].join(path.delimiter),
  // Keep the colours of output that passes through us.
  ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
};

/**
 * Runs one step and resolves to whether it succeeded.
 * @param {string} name
 * @param {boolean} isAlone one that runs beside others prints when it has ended, so they do not mix
 * @param {readonly string[]} [files] these of its files only
 * @returns {Promise<boolean>}
 */
function runStep(name, isAlone, files = []) {
  const [command = '', ...fixed] = steps[name] ?? [];
  const args = [...fixed, ...files];
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

/** @type {string[]} */
const unsteady = [];

/**
 * @param {string} name
 * @returns {Promise<boolean>}
 */
async function runAlone(name) {
  forgetFailed();
  if (await runStep(name, true)) return true;
  const failed = failedFiles();
  if (!deservesSecondTry(name, failed)) return false;
  console.log(`── ${name}: second try, alone: ${failed.join(', ')}`);
  const isOk = await runStep(name, true, failed);
  if (isOk) unsteady.push(...failed);
  return isOk;
}

const since = Date.now();
for (const group of read.groups) {
  const [first = '', ...others] = group;
  const ended =
    others.length === 0 ? [await runAlone(first)] : await Promise.all(group.map((name) => runStep(name, false)));
  if (ended.includes(false)) {
    process.exitCode = 1;
    break;
  }
}
const slowest = slowestFiles(measuredDurations(), { since, count: 10 });
if (slowest.length > 0) console.log(`── The slowest test files\n${slowest.join('\n')}`);
if (unsteady.length > 0) console.log(`── Flaky, passed only on the second try:\n${unsteady.join('\n')}`);
