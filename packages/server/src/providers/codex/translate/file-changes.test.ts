import { expect, test } from 'vitest';
import { diffsOfChanges, filesOfPatch } from './file-changes.ts';

test('CX-1: shows a new or deleted file in full, and an edit as hunks with their places', () => {
  const diff = '@@ -1,2 +1,2 @@\n-one\n+eins\n two\n@@ -10 +10,2 @@\n ten\n+eleven\n';
  expect(
    diffsOfChanges([
      { path: '/a', kind: { type: 'add' }, diff: 'new\n' },
      { path: '/b', kind: { type: 'delete' }, diff: 'old\n' },
      { path: '/c', kind: { type: 'update', move_path: null }, diff },
      {
        path: '/d',
        kind: { type: 'update', move_path: '/e' },
        diff: '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n',
      },
    ]),
  ).toEqual([
    { path: '/a', oldText: null, newText: 'new\n' },
    { path: '/b', oldText: 'old\n', newText: '' },
    { path: '/c', oldText: 'one\ntwo\n', newText: 'eins\ntwo\n', oldStart: 1, newStart: 1 },
    { path: '/c', oldText: 'ten\n', newText: 'ten\neleven\n', oldStart: 10, newStart: 10 },
    { path: '/e', oldText: 'a', newText: 'b\n', oldStart: 1, newStart: 1 },
  ]);
});

test.each([undefined, null, 'x', [{}], [{ path: '/a' }], [{ path: '', diff: 'x' }]])(
  'reads no change from: %j',
  (changes) => {
    expect(diffsOfChanges(changes)).toEqual([]);
  },
);

test('CX-1: counts the diff of a turn file by file', () => {
  const patch =
    'diff --git a/x.txt b/x.txt\n--- a/x.txt\n+++ b/x.txt\n@@ -1 +1,2 @@\n-a\n+b\n+c\ndiff --git a/y b/y\nnew file mode 100644\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+z\n';
  expect(filesOfPatch(patch)).toEqual([
    { path: 'x.txt', additions: 2, deletions: 1 },
    { path: 'y', additions: 1, deletions: 0 },
  ]);
  expect(filesOfPatch('')).toEqual([]);
});
