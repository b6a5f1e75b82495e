import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import base from '../../vitest.config.ts';
import { applyMutant, type Mutant } from './find-mutants.ts';

const root = path.resolve(import.meta.dirname, '../..');
const projectNamed = (name: string) => {
  const found = base.test?.projects?.find(
    (project) => typeof project === 'object' && 'test' in project && project.test?.name === name,
  );
  if (typeof found !== 'object' || !('test' in found)) throw new Error(`vitest.config.ts has no project "${name}".`);
  return found.test;
};

const given = process.env['LIMINAL_MUTANT'];
const mutation = given === undefined ? undefined : (JSON.parse(given) as { file: string; mutant: Mutant });

/**
 * The file whose tests run. Components load nearly all of the page and its packages, so only files of the page use
 * them.
 */
const names = process.env['LIMINAL_MUTATED']?.startsWith('packages/web/') ? ['unit', 'component'] : ['unit'];

const mutant: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  load(id) {
    const file = id.split('?')[0] ?? id;
    if (mutation === undefined || path.relative(root, file) !== mutation.file) return null;
    return applyMutant(readFileSync(file, 'utf8'), mutation.mutant);
  },
};

/**
 * The unit tests with one change in one file. It is applied when the file is loaded; the file itself stays unchanged.
 */
export default defineConfig({
  root,
  test: {
    reporters: ['dot'],
    bail: 1,
    // Not cached: the next test run would use a mutated file from the cache.
    projects: names.map((name) => ({ plugins: [mutant], root, test: { ...projectNamed(name), fsModuleCache: false } })),
  },
});
