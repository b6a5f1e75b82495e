// npm run flakiness [-- --tests N] [--whole N] [--load N]: runs the unit and integration tests N times and everything
// in `npm test` N times, under CPU load. Each step runs once, even if the one before it failed. Lists every failure;
// the output of failed steps is in node_modules/.cache/liminal/flakiness.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Failure, failuresOf, summary } from './flakiness/failures.ts';
import { inRoot, root } from './setup/paths.mjs';

const { values } = parseArgs({
  options: {
    tests: { type: 'string', default: '10' },
    whole: { type: 'string', default: '3' },
    load: { type: 'string', default: '2' },
  },
});
const count = (name: keyof typeof values): number => {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} needs a number, not "${values[name]}".`);
  return number;
};
const logs = inRoot('node_modules', '.cache', 'liminal', 'flakiness');
rmSync(logs, { recursive: true, force: true });
mkdirSync(logs, { recursive: true });

const busy: ChildProcess[] = Array.from({ length: count('load') }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
const stop = (): void => busy.forEach((child) => child.kill('SIGKILL'));
process.once('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

function run(step: string): Promise<{ output: string; ok: boolean }> {
  const child = spawn(process.execPath, [inRoot('scripts', 'run-steps.mjs'), step], {
    cwd: root,
    env: { ...process.env, LIMINAL_TRY_ONCE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ output, ok: code === 0 })));
}

const failures: Failure[] = [];
async function runAll(name: string, steps: readonly string[]): Promise<void> {
  for (const step of steps) {
    const began = performance.now();
    const { output, ok } = await run(step);
    const seconds = Math.round((performance.now() - began) / 1000);
    const load = loadavg()[0]?.toFixed(1);
    console.log(`${name}, ${step}: ${ok ? 'ok' : 'FAILED'}, ${seconds} s, load ${load}`);
    if (ok) continue;
    const found = failuresOf(name, step, output);
    failures.push(...found);
    for (const line of summary(found)) console.log(`  ${line}`);
    writeFileSync(join(logs, `${name} ${step}.log`.replaceAll(' ', '-')), output);
  }
}

for (let index = 1; index <= count('tests'); index += 1) await runAll(`tests ${index}`, ['unit', 'integration']);
const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { scripts: { test: string } };
const [, , ...whole] = scripts.test.split(' ');
for (let index = 1; index <= count('whole'); index += 1) await runAll(`whole ${index}`, whole);
const runs = `${values.tests} runs of unit and integration tests and ${values.whole} whole ones beside a load of ${values.load}`;
console.log(failures.length === 0 ? `${runs}: 0 failures.` : `${runs}:\n${summary(failures).join('\n')}`);
if (failures.length > 0) console.log(`The output of failed steps is in ${logs}.`);
process.exit(failures.length > 0 ? 1 : 0);
