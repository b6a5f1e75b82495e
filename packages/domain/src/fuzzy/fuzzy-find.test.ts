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
  it('ranks the start of a name first, then a word in it, then a folder', () => {
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
  it('prefers the starts of words to scattered characters', () => {
    const index = fuzzyIndex(['a/xaxbxc.ts', 'a/xa-b-c.ts']);
    expect(fuzzyFind(index, 'abc', 2).map(({ path }) => path)).toEqual(['a/xa-b-c.ts', 'a/xaxbxc.ts']);
  });
  it('finds nothing without a match', () => expect(find('xyzzy')).toEqual([]));
  it('lists the shortest first when nothing is typed', () =>
    expect(find('', 2)).toEqual(['README.md', 'src/session/']));

  it('returns the indices of the typed characters, in order', () => {
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
});
