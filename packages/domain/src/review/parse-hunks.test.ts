import { expect, it } from 'vitest';
import { parseHunks } from './parse-hunks.ts';

it('reads the positions of hunks, even if a count is missing', () => {
  expect(parseHunks('--- a/x\n+++ b/x\n@@ -1,2 +3 @@ function\n a\n-b\n@@ -0,0 +9,2 @@\n+c\n+d\n')).toEqual([
    { hunk: 0, oldStart: 1, oldLines: 2, newStart: 3, newLines: 1 },
    { hunk: 1, oldStart: 0, oldLines: 0, newStart: 9, newLines: 2 },
  ]);
});

it('doesn’t mistake a line of a file for a header', () => {
  expect(parseHunks('@@ -1 +1 @@\n-@@ -5 +5 @@\n+@@ -6 +6 @@\n')).toHaveLength(1);
});
