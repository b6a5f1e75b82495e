import { expect, it } from 'vitest';
import { readArgs } from './read-args.ts';

const names = ['a', 'b', 'c'];

it('runs every benchmark in full by default', () => {
  expect(readArgs([], names)).toEqual({ mode: 'full', only: names, peers: false });
});

it('accepts bench names, in the order of the list', () => {
  expect(readArgs(['--quick', '--peers', '--only', 'c,a'], names)).toEqual({
    mode: 'quick',
    only: ['a', 'c'],
    peers: true,
  });
});

it.each([
  [['--fast'], /no flag "--fast"/],
  [['--only', 'd'], /no bench "d".*a, b, c/],
  [['--only'], /no bench ""/],
])('rejects %j with a sentence', (args, sentence) => {
  expect(readArgs(args, names)).toMatch(sentence);
});
