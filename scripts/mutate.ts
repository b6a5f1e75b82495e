// npm run mutate [-- --base REF | -- FILE…]: changes the lines of a change, or whole files, one small thing at a time,
// and says which of these mutations no unit test noticed. Without a file it takes the lines changed since REF (HEAD~1).
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { changedLines, isMutable } from './mutate/changed-lines.ts';
import { findMutants, type Mutant } from './mutate/find-mutants.ts';

const root = path.resolve(import.meta.dirname, '..');
const timeLimitMs = 60_000;
const { values, positionals } = parseArgs({ options: { base: { type: 'string' } }, allowPositionals: true });

/** Null: the whole file. */
function chosenFiles(): readonly (readonly [string, ReadonlySet<number> | null])[] {
  if (positionals.length > 0) return positionals.map((file) => [path.relative(root, path.resolve(file)), null]);
  const args = ['diff', '--unified=0', '--no-prefix', '--no-color', values.base ?? 'HEAD~1'];
  return [...changedLines(execFileSync('git', args, { cwd: root, encoding: 'utf8' }))].filter(([file]) =>
    isMutable(file),
  );
}

type Ending = 'passed' | 'failed' | 'no tests';

/** Runs the unit tests that load a file. Tests that take longer than the limit count as failed. */
function runTests(file: string, mutant?: Mutant): Promise<Ending> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'related', '--run', '--config', 'scripts/mutate/vitest.config.ts', file];
  const { LIMINAL_MUTANT: _, ...env } = process.env;
  if (mutant) env['LIMINAL_MUTANT'] = JSON.stringify({ file, mutant });
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const limit = setTimeout(() => child.kill('SIGKILL'), timeLimitMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      if (output.includes('No test files found')) resolve('no tests');
      else resolve(code === 0 ? 'passed' : 'failed');
    });
  });
}

const scores = new Map<string, { caught: number; tried: number }>();
for (const [file, lines] of chosenFiles()) {
  const mutants = findMutants(readFileSync(path.join(root, file), 'utf8'), file).filter(
    ({ line }) => lines === null || lines.has(line),
  );
  if (mutants.length === 0) continue;
  const ending = await runTests(file);
  if (ending === 'failed') {
    console.error(`${file}: its tests fail without a mutation. Fix them first.`);
    process.exitCode = 1;
    continue;
  }
  console.log(`${file}: ${mutants.length} mutations${ending === 'no tests' ? ', and no unit test loads it' : ''}`);
  const group = file
    .split('/')
    .slice(0, file.startsWith('packages/') ? 2 : 1)
    .join('/');
  const score = scores.get(group) ?? { caught: 0, tried: 0 };
  scores.set(group, score);
  for (const mutant of mutants) {
    score.tried += 1;
    if (ending !== 'no tests' && (await runTests(file, mutant)) === 'failed') score.caught += 1;
    else console.log(`  survived: ${file}:${mutant.line} ${mutant.what}`);
  }
}
for (const [group, { caught, tried }] of scores)
  console.log(`${group}: ${caught} of ${tried} caught (${Math.round((100 * caught) / tried)} %)`);
if (scores.size === 0) console.log('There is nothing to mutate.');
