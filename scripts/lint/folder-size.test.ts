import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';

/** More files are hard to survey. Split such a folder into subfolders named by what they do. */
const most = 20;
const roots = ['packages', 'e2e/src', 'bench/src', 'scripts'];
const isSource = (name: string): boolean => /\.(tsx?|mjs)$/.test(name) && !/\.(test|contract|d)\.tsx?$/.test(name);
const passedOver = /(^|\/)(node_modules|dist|testing|reliability|golden|fixtures|recordings|migrations)(\/|$)/;

/** The number of source files in each folder below this one, by path. */
function countSources(folder: string): [string, number][] {
  const entries = readdirSync(inRoot(folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.posix.join(folder, name));
  const own = entries.filter((entry) => entry.isFile() && isSource(entry.name)).length;
  return [[folder, own], ...folders.filter((name) => !passedOver.test(name)).flatMap(countSources)];
}

it(`finds no folder with more than ${most} source files`, () => {
  const counts = roots.flatMap(countSources);
  expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(500);
  expect(counts.filter(([, count]) => count > most)).toEqual([]);
});
