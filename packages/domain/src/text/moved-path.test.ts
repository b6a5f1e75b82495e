import { describe, expect, it } from 'vitest';
import { movedPath } from './moved-path.ts';

describe('movedPath', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', 'b.ts', 'b.ts'],
    ['src/deep/a.ts', 'src', 'lib/new', 'lib/new/deep/a.ts'],
    ['src/a.tsx', 'src/a.ts', 'b.ts', null],
    ['src', 'src/a.ts', 'b.ts', null],
  ])('of %s, if %s moves to %s, is %s', (path, from, to, next) => expect(movedPath(path, from, to)).toBe(next));
});
