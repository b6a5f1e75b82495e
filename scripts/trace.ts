import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAcceptance } from './trace/acceptance.ts';
import { citationsInBench, citationsInTests } from './trace/citations.ts';
import { report } from './trace/report.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const find = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).toSorted();

const tests = find('{packages/*,e2e,bench}/src/**/*.{test.ts,test.tsx,contract.ts}');
const benches = find('bench/src/**/*.ts').filter((file) => !tests.includes(file));

try {
  const { lines, problems } = report(parseAcceptance(read('docs/acceptance.md')), [
    ...tests.flatMap((file) => citationsInTests(file, read(file))),
    ...benches.flatMap((file) => citationsInBench(file, read(file))),
  ]);
  console.log(lines.join('\n'));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
