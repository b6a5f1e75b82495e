import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BenchResult, Mode } from './bench.ts';
import { benches } from './benches.ts';
import { judge } from './judge.ts';
import { startProcess } from './processes/start-process.ts';
import { readArgs } from './read-args.ts';
import { barPlotSvg } from './report/bar-plot.ts';
import { costOf, type Measured, plotPath, type Run, withRun } from './report/document.ts';
import { describeMachine } from './report/machine.ts';
import { readTicks, stolenShare } from './report/stolen.ts';
import { textTable } from './report/table.ts';

const runner = fileURLToPath(new URL('./run-bench.ts', import.meta.url));
const docs = new URL('../../docs/', import.meta.url);

/** A failed bench has no results, and the others still run. */
async function measure(name: string, mode: Mode, isNamed: boolean, peers: boolean): Promise<Measured | null> {
  const bench = await benches[name]?.();
  if (!bench || (bench.isLong && mode === 'quick' && !isNamed)) return null;
  console.log(`\n── ${bench.title}`);
  const [began, ticks] = [performance.now(), readTicks()];
  let result: BenchResult | null = null;
  const child = await startProcess(runner);
  try {
    result = await child.ask<BenchResult>('run', { name, mode, peers });
    console.log(textTable(result.rows));
    for (const remark of result.remarks ?? []) console.log(remark);
  } catch (error) {
    console.error(error);
  } finally {
    await child.stop();
  }
  const cost = { seconds: (performance.now() - began) / 1000, stolen: stolenShare(ticks, readTicks()) };
  console.log(costOf(cost));
  return { bench, result, ...cost };
}

function write(run: Run): void {
  const path = new URL('performance.md', docs);
  mkdirSync(new URL('images/', docs), { recursive: true });
  writeFileSync(path, withRun(existsSync(path) ? readFileSync(path, 'utf8') : '# Performance\n', run));
  for (const plot of run.measured.flatMap(({ result }) => result?.plots ?? [])) {
    writeFileSync(new URL(plotPath(plot.name), docs), barPlotSvg(plot));
  }
}

/** True if all measurements succeeded and none misses its budget. */
function sumUp(measured: readonly Measured[]): boolean {
  const rows = measured.flatMap(({ result }) => result?.rows ?? []);
  const missed = rows.filter((row) => judge(row) === 'missed');
  const failed = measured.filter(({ result }) => result === null);
  for (const row of missed) console.error(`Missed: ${row.measure} (budget "${row.budget}")`);
  for (const { bench } of failed) console.error(`Failed: ${bench.title}`);
  for (const row of rows) if (judge(row) === 'aim missed') console.log(`Aim not reached: ${row.measure}`);
  return missed.length === 0 && failed.length === 0;
}

const wishes = readArgs(process.argv.slice(2), Object.keys(benches));
if (typeof wishes === 'string') {
  console.error(wishes);
  process.exit(2);
}
const { mode, only, peers } = wishes;
const isWhole = only.length === Object.keys(benches).length;
const machine = describeMachine();
const measured: Measured[] = [];
for (const name of only) {
  const found = await measure(name, mode, !isWhole, peers);
  if (found) measured.push(found);
}
const seconds = measured.reduce((sum, one) => sum + one.seconds, 0);
console.log(`\n${Math.round(seconds)} s in all.`);
// Results of different runs must not be mixed in one document.
if (isWhole) {
  const flags = [mode === 'quick' ? '--quick' : '', peers ? '--peers' : ''].filter((flag) => flag !== '');
  const command = ['npm run bench', ...(flags.length > 0 ? ['--', ...flags] : [])].join(' ');
  write({ machine, date: new Date().toISOString().slice(0, 10), command, measured });
}
if (!sumUp(measured)) process.exitCode = 1;
