import { expect, it } from 'vitest';
import { packageOf, sampleOf } from './sample.ts';

const candidates = (file: string, count: number) => Array.from({ length: count }, (_, mutant) => ({ file, mutant }));
const all = [...candidates('packages/a/src/one.ts', 40), ...candidates('packages/b/src/two.ts', 2)];

it('a sample has the given number of mutations per package, or all if there are fewer', () => {
  const sample = sampleOf(all, 5, 7);
  expect(sample.map(({ file }) => packageOf(file)).toSorted()).toEqual([
    ...Array<string>(5).fill('packages/a'),
    ...Array<string>(2).fill('packages/b'),
  ]);
  expect(new Set(sample).size).toBe(7);
});

it('a sample depends only on the seed', () => {
  expect(sampleOf(all, 5, 7)).toEqual(sampleOf(all, 5, 7));
  expect(sampleOf(all, 5, 8)).not.toEqual(sampleOf(all, 5, 7));
});
