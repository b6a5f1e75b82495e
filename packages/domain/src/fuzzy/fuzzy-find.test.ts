import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzyFind, fuzzyIndex } from './fuzzy-find.ts';

const paths = [
  'src/components/button.tsx',
  'src/components/button-group.tsx',
  'src/buttons/index.ts',
  'docs/about-buttons.md',
  'src/session/session-shell.ts',
  'src/session/decide.ts',
  'README.md',
  'packages/server/src/start.ts',
  'src/session/',
];
const find = (query: string, limit = 20) => fuzzyFind(fuzzyIndex(paths), query, limit).map(({ path }) => path);

describe('completing a path', () => {
  it('the start of a name comes first, then a word in it, then a folder', () => {
    expect(find('button')).toEqual([
      'src/components/button.tsx',
      'src/components/button-group.tsx',
      'docs/about-buttons.md',
      'src/buttons/index.ts',
    ]);
  });
  it.each([
    ['readme', 'README.md'],
    ['sesshell', 'src/session/session-shell.ts'],
    ['src/ses/dec', 'src/session/decide.ts'],
    ['psss', 'packages/server/src/start.ts'],
    ['session', 'src/session/'],
    ['session shell', 'src/session/session-shell.ts'],
  ])('%j finds %j first', (query, path) => expect(find(query)[0]).toBe(path));
  it('what is not there is not found', () => expect(find('xyzzy')).toEqual([]));
  it('nothing typed: the shortest first', () => expect(find('', 2)).toEqual(['README.md', 'src/session/']));

  it('the places it names are the typed characters, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 }), { maxLength: 30 }),
        fc.string({ maxLength: 5 }),
        (list, query) => {
          const typed = query.toLowerCase().replace(/\s+/g, '');
          for (const { path, matches } of fuzzyFind(fuzzyIndex(list), query, 10)) {
            const lower = path.toLowerCase().length === path.length ? path.toLowerCase() : path;
            expect(matches.map((at) => lower[at]).join('')).toBe(typed);
            expect([...matches].sort((a, b) => a - b)).toEqual(matches);
          }
        },
      ),
    );
  });

  it('50,000 files: every key under 50 ms', () => {
    const words = ['session', 'button', 'index', 'server', 'delivery', 'component', 'utils', 'store', 'model', 'view'];
    const word = (n: number) => words[n % words.length] ?? '';
    const many = Array.from(
      { length: 50_000 },
      (_, n) => `packages/${word(n)}/src/${word(n >> 3)}-${n % 97}/${word(n >> 6)}-${word(n >> 2)}-${n}.ts`,
    );
    const index = fuzzyIndex(many);
    const once = (query: string) => {
      const began = process.threadCpuUsage();
      fuzzyFind(index, query, 50);
      const { user, system } = process.threadCpuUsage(began);
      return (user + system) / 1000;
    };
    const queries = ['', 's', 'se', 'ses', 'sess', 'sessi', 'ssn', 'pkgsrvidx', 'session/view', 'qqqq'];
    // Time of the processor: the machine that runs the tests does other things besides.
    const times = queries.map((query) => Math.min(once(query), once(query)));
    console.log(`50,000 files, ms per key: ${times.map((time) => time.toFixed(1)).join(' ')}`);
    expect(Math.max(...times)).toBeLessThan(50);
  });
});
