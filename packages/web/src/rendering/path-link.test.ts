import { expect, it } from 'vitest';
import { readPath } from './path-link.tsx';

it.each([
  ['src/lib/limiter.ts:14', 'src/lib/limiter.ts', 14],
  ['/work/repo/a.ts:3:7', '/work/repo/a.ts', 3],
  ['./Makefile.am:2', './Makefile.am', 2],
  ['bin/run:1', 'bin/run', 1],
  ['.env:5', '.env', 5],
])('RV-3: %s names a line of a file', (text, path, line) => {
  expect(readPath(text)).toEqual({ path, line });
});

it.each(['localhost:3000', 'http://a.b/c:80', 'a.ts', '12:30', 'key: 4', 'a.ts:14 and more', 'std::map:3'])(
  '%s is no line of a file',
  (text) => {
    expect(readPath(text)).toBeNull();
  },
);
