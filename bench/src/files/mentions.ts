import { fuzzyFind, fuzzyIndex } from '@liminal/domain/fuzzy/fuzzy-find';
import type { Bench, Row } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const words = ['session', 'button', 'index', 'server', 'delivery', 'component', 'utils', 'store', 'model', 'view'];
const word = (n: number): string => words[n % words.length] ?? '';
const path = (n: number): string =>
  `packages/${word(n)}/src/${word(n >> 3)}-${n % 97}/${word(n >> 6)}-${word(n >> 2)}-${n}.ts`;
const typed = ['', 's', 'se', 'ses', 'sess', 'sessi', 'ssn', 'pkgsrvidx', 'session/view', 'qqqq'];

export const mentions: Bench = {
  name: 'mentions',
  title: 'Mentions: completing a file name among 50,000',
  measures: 'The slowest keystroke of a word typed letter by letter, and of words that match everything or nothing.',
  run(mode) {
    const index = fuzzyIndex(Array.from({ length: 50_000 }, (_, n) => path(n)));
    const slowest: number[] = [];
    for (let round = -1; round < (mode === 'quick' ? 5 : 20); round += 1) {
      const took = typed.map((query) => {
        const began = performance.now();
        fuzzyFind(index, query, 50);
        return performance.now() - began;
      });
      if (round >= 0) slowest.push(Math.max(...took));
    }
    const row: Row = {
      measure: 'slowest keystroke',
      value: median(slowest),
      unit: 'ms',
      noise: noiseOf(slowest),
      budget: 'a key of a mention',
    };
    return { rows: [row] };
  },
};
