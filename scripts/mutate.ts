// npm run mutate [-- --base REF | -- --sample COUNT [FOLDER…] | -- FILE…]: mutates changed lines, or whole files, one
// small change at a time, and reports the mutations that no unit test noticed. Without a file it uses the lines changed
// since REF (HEAD~1). A sample is COUNT mutations of each package, or of those in these folders, different in each run;
// `LIMINAL_SEED=…` repeats one.
import { execFileSync, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { changedLines, isMutable } from './mutate/changed-lines.ts';
import { findMutants, type Mutant } from './mutate/find-mutants.ts';
import { type Candidate, packageOf, sampleOf } from './mutate/sample.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Only guards against a mutation that hangs its tests: a busy machine must not count as noticing it. */
const timeLimitMs = 180_000;
const { values, positionals } = parseArgs({
  options: { base: { type: 'string' }, sample: { type: 'string' } },
  allowPositionals: true,
});
const seed = Number(process.env['LIMINAL_SEED'] ?? Date.now() % 1_000_000);

/** Null for the whole file. */
function chosenFiles(): readonly (readonly [string, ReadonlySet<number> | null])[] {
  const named = positionals.map((each) => path.relative(root, path.resolve(each)));
  const files = named.filter((each) => path.extname(each) !== '');
  if (files.length > 0) return files.map((file) => [file, null]);
  if (values.sample !== undefined) {
    const all = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(isMutable).toSorted();
    // Test helpers aren't measured by this.
    const ofProgram = all.filter((file) => !/^packages\/stand-ins\/|\/reliability\//.test(file));
    const isWanted = (file: string): boolean => named.length === 0 || named.some((each) => file.startsWith(`${each}/`));
    return ofProgram.filter(isWanted).map((file) => [file, null]);
  }
  const args = ['diff', '--unified=0', '--no-prefix', '--no-color', values.base ?? 'HEAD~1'];
  return [...changedLines(execFileSync('git', args, { cwd: root, encoding: 'utf8' }))].filter(([file]) =>
    isMutable(file),
  );
}

/** The mutations to try, by file. */
function chosenMutants(): Map<string, Mutant[]> {
  const all: Candidate<Mutant>[] = chosenFiles().flatMap(([file, lines]) =>
    findMutants(readFileSync(path.join(root, file), 'utf8'), file)
      .filter(({ line }) => lines === null || lines.has(line))
      .map((mutant) => ({ file, mutant })),
  );
  const chosen = values.sample === undefined ? all : sampleOf(all, Number(values.sample), seed);
  const files = Map.groupBy(chosen, ({ file }) => file);
  return new Map([...files].map(([file, each]) => [file, each.map(({ mutant }) => mutant)]));
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

type Ending = 'passed' | 'failed' | 'no tests';

/** Runs the unit tests that load a file. Tests that exceed the limit count as failed. */
function runTests(file: string, mutant?: Mutant): Promise<Ending> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'related', '--run', '--config', 'scripts/mutate/vitest.config.ts', file];
  const { LIMINAL_MUTANT: _, ...env } = process.env;
  env['LIMINAL_MUTATED'] = file;
  if (mutant) env['LIMINAL_MUTANT'] = JSON.stringify({ file, mutant });
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  // Kill its workers too: one that a mutation keeps busy would run forever.
  const end = (): boolean => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  const limit = setTimeout(end, timeLimitMs);
  process.once('exit', end);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      process.off('exit', end);
      if (output.includes('No test files found')) resolve('no tests');
      else resolve(code === 0 ? 'passed' : 'failed');
    });
  });
}

const scores = new Map<string, { caught: number; tried: number }>();
for (const [file, mutants] of chosenMutants()) {
  const ending = await runTests(file);
  if (ending === 'failed') {
    console.error(`${file}: its tests fail without a mutation. Fix them first.`);
    process.exitCode = 1;
    continue;
  }
  console.log(`${file}: ${mutants.length} mutations${ending === 'no tests' ? ', and no unit test loads it' : ''}`);
  const group = packageOf(file);
  const score = scores.get(group) ?? { caught: 0, tried: 0 };
  scores.set(group, score);
  for (const mutant of mutants) {
    score.tried += 1;
    if (ending !== 'no tests' && (await runTests(file, mutant)) === 'failed') score.caught += 1;
    else console.log(`  survived: ${file}:${mutant.line} ${mutant.what}`);
  }
}
for (const [group, { caught, tried }] of scores) {
  const score = `${caught} of ${tried} caught (${Math.round((100 * caught) / tried)} %)`;
  // In the form that `npm run torture` collects.
  if (values.sample === undefined) console.log(`${group}: ${score}`);
  else console.log(`figure | Mutations | sample of ${group}, unit tests only | ${score} (seed ${seed})`);
}
if (scores.size === 0) console.log('There is nothing to mutate.');
