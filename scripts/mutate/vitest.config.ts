import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { applyMutant, type Mutant } from './find-mutants.ts';

const root = path.resolve(import.meta.dirname, '../..');
const unit = base.test?.projects?.find(
  (project) => typeof project === 'object' && 'test' in project && project.test?.name === 'unit',
);
if (typeof unit !== 'object' || !('test' in unit)) throw new Error('There are no unit tests in vitest.config.ts.');

const given = process.env['LIMINAL_MUTANT'];
const mutation = given === undefined ? undefined : (JSON.parse(given) as { file: string; mutant: Mutant });

/** The unit tests, with one change in one file. It is made as the file is loaded: the file itself stays as it is. */
export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load(id) {
        const file = id.split('?')[0] ?? id;
        if (mutation === undefined || path.relative(root, file) !== mutation.file) return null;
        return applyMutant(readFileSync(file, 'utf8'), mutation.mutant);
      },
    },
  ],
  // Not kept: the next run of the tests would take a mutated file from the cache.
  test: { ...unit.test, reporters: ['dot'], bail: 1, fsModuleCache: false },
});
