import { describe, expect, it } from 'vitest';
import { filePlacesIn, readFilePlace } from './file-places.ts';

it.each([
  ['src/lib/limiter.ts:14', 'src/lib/limiter.ts', 14, undefined],
  ['/work/repo/a.ts:3:7', '/work/repo/a.ts', 3, 7],
  ['./Makefile.am:2', './Makefile.am', 2, undefined],
  ['bin/run:1', 'bin/run', 1, undefined],
  ['.env:5', '.env', 5, undefined],
])('RV-3: %s names a line of a file', (text, path, line, column) => {
  expect(readFilePlace(text)).toEqual({ path, line, ...(column !== undefined && { column }) });
});

it.each(['localhost:3000', 'http://a.b/c:80', 'a.ts', '12:30', 'key: 4', 'a.ts:14 and more', 'std::map:3'])(
  '%s is not a line of a file',
  (text) => {
    expect(readFilePlace(text)).toBeNull();
  },
);

describe('FL-2: places in a text', () => {
  const named = (text: string, mentions = false) =>
    filePlacesIn(text, { mentions }).map(({ start, end }) => text.slice(start, end));

  it('are found in the formats of compilers and test runners', () => {
    expect(named('src/a.ts:3:7 - error TS2304: Cannot find name')).toEqual(['src/a.ts:3:7']);
    expect(named('    at run (/work/repo/b.js:10:5)')).toEqual(['/work/repo/b.js:10:5']);
    expect(named('lib/x.go:12: undefined: y')).toEqual(['lib/x.go:12']);
    expect(named('see http://localhost:3000/a and 10:30')).toEqual([]);
  });

  it('include mentions if a user wrote the text', () => {
    expect(named('look at @src/a.ts:3-5, @README.md. Ask @anna', true)).toEqual(['@src/a.ts:3-5', '@README.md']);
    expect(named('@src/a.ts')).toEqual([]);
    expect(filePlacesIn('@src/a.ts:3-5', { mentions: true })).toMatchObject([{ path: 'src/a.ts', line: 3 }]);
  });

  it('are found in linear time, even in hostile text', () => {
    expect(named(`${'a/'.repeat(100_000)}:1`)).toEqual([]);
    expect(named(`${'a/a.a '.repeat(20_000)}x/y.ts:1`)).toEqual(['x/y.ts:1']);
  });
});
