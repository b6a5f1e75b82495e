import { describe, expect, it } from 'vitest';
import { buffersOf, indexPatch, lineOf } from './parse-patch.ts';

const patch = [
  'diff --git a/a.ts b/a.ts',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,3 +1,4 @@ function head() {',
  ' one',
  '-const two = 2;',
  '+const two = 3;',
  '+const more = 4;',
  ' three',
  '@@ -20 +21,2 @@',
  '-end',
  '+--- not a header',
  '+end',
  '\\ No newline at end of file',
  '',
].join('\n');

describe('a parsed patch', () => {
  const index = indexPatch(patch);
  const lines = Array.from(index.kinds, (_, place) => lineOf(patch, index, place));

  it('numbers the lines of both sides and doesn’t mistake a line for a header', () => {
    expect(lines.map(({ kind, text, oldLine, newLine }) => [kind, oldLine ?? 0, newLine ?? 0, text])).toEqual([
      ['same', 1, 1, 'one'],
      ['removed', 2, 0, 'const two = 2;'],
      ['added', 0, 2, 'const two = 3;'],
      ['added', 0, 3, 'const more = 4;'],
      ['same', 3, 4, 'three'],
      ['removed', 20, 0, 'end'],
      ['added', 0, 21, '--- not a header'],
      ['added', 0, 22, 'end'],
    ]);
    expect([...index.hunks]).toEqual([0, 5, 8]);
    expect(index.unended).toEqual([7]);
  });

  it('pairs a line with its replacement, for two columns and for word marks', () => {
    const rows = Array.from({ length: index.pairs.length / 2 }, (_, row) => [
      index.pairs[2 * row],
      index.pairs[2 * row + 1],
    ]);
    expect(rows.slice(0, 4)).toEqual([
      [0, 0],
      [1, 2],
      [-1, 3],
      [4, 4],
    ]);
    expect(index.pairHunks[1]).toBe(4);
    expect([index.partners[1], index.partners[2], index.partners[3]]).toEqual([2, 1, -1]);
    expect([...index.order].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('has no lines without a hunk, and can be transferred', () => {
    expect(indexPatch('diff --git a/a b/b\nsimilarity index 100%\n').kinds).toHaveLength(0);
    expect(structuredClone(index, { transfer: buffersOf(index) }).kinds).toHaveLength(8);
  });
});
