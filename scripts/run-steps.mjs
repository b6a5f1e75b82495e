// node scripts/run-steps.mjs STEP…: runs the steps in order, says the time of each, and stops at the first failure.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { inRoot, root } from './setup/paths.mjs';
import { steps } from './steps.mjs';

const env = { ...process.env, PATH: [inRoot('node_modules', '.bin'), process.env.PATH].join(path.delimiter) };

for (const name of process.argv.slice(2)) {
  const [command, ...args] = steps[name] ?? [];
  if (command === undefined) {
    console.error(`There is no step "${name}". The steps are: ${Object.keys(steps).join(', ')}.`);
    process.exit(1);
  }
  console.log(`── ${name}: ${[command, ...args].join(' ')}`);
  const began = performance.now();
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`── ${name}: failed after ${seconds} s${error ? ` (${error.message})` : ''}`);
    process.exit(1);
  }
  console.log(`── ${name}: ok, ${seconds} s`);
}
