import { describe, expect, it } from 'vitest';
import { applyMutant, findMutants } from './find-mutants.ts';

const changed = (source: string, file = 'a.ts'): string[] =>
  findMutants(source, file).map((mutant) => applyMutant(source, mutant));

describe('the mutations of a file', () => {
  it('negate a condition and keep one part of it', () => {
    expect(changed('if (a && b) { }')).toEqual(['if (!(a && b)) { }', 'if ((a)) { }', 'if ((b)) { }']);
    expect(changed('x = a ? b : c')).toEqual([';', 'x = !(a) ? b : c']);
  });

  it('invert a comparison or move its limit', () => {
    expect(changed('const x = a === b')).toEqual(['const x = a !== b']);
    expect(changed('const x = a < b')).toEqual(['const x = a <= b']);
  });

  it('replace booleans, numbers and strings', () => {
    expect(changed("const x = [true, 7, 0, 'text', '']")).toEqual([
      "const x = [false, 7, 0, 'text', '']",
      "const x = [true, 0, 0, 'text', '']",
      "const x = [true, 7, 1, 'text', '']",
      "const x = [true, 7, 0, '', '']",
    ]);
  });

  it('remove a statement', () => {
    expect(changed('f(); await g();')).toEqual(['; await g();', 'f(); ;']);
  });

  it('skip types, modules, keys and attributes, and look inside assertions', () => {
    expect(changed("import a from 'a'; type B = 'b'; const c: 'c' = d as 'd'; export * from 'e'")).toEqual([]);
    expect(changed("const x = { 'key': y }")).toEqual([]);
    expect(changed('const x = <p className="a">{y}</p>', 'a.tsx')).toEqual([]);
    expect(changed('const x = (true as boolean)!')).toEqual(['const x = (false as boolean)!']);
  });

  it('report their line', () => {
    expect(findMutants('\n\nf();', 'a.ts')).toMatchObject([{ line: 3, what: 'leave out f();' }]);
  });
});
