import { expect, it } from 'vitest';
import { changedLines, isMutable } from './changed-lines.ts';

it('finds the new lines of every file that still exists', () => {
  const diff = [
    'diff --git a.ts a.ts',
    '--- a.ts',
    '+++ a.ts',
    '@@ -3,0 +4,2 @@ context',
    '+one',
    '+two',
    '@@ -9 +11 @@',
    '-old',
    '+new',
    '@@ -20,2 +21,0 @@',
    '-gone',
    '-gone',
    'diff --git b.ts b.ts',
    '--- b.ts',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-gone',
    'diff --git c.ts c.ts',
    '--- /dev/null',
    '+++ c.ts',
    '@@ -0,0 +1 @@',
    '+new',
  ].join('\n');
  expect(changedLines(diff)).toEqual(
    new Map([
      ['a.ts', new Set([4, 5, 11])],
      ['c.ts', new Set([1])],
    ]),
  );
});

it('mutates sources, but neither tests nor test helpers', () => {
  const files = [
    'packages/web/src/a.tsx',
    'scripts/mutate/a.ts',
    'packages/web/src/a.test.tsx',
    'packages/web/src/testing/a.ts',
    'packages/server/src/store/store.contract.ts',
    'docs/a.ts',
    'packages/web/src/a.css',
  ];
  expect(files.filter(isMutable)).toEqual(['packages/web/src/a.tsx', 'scripts/mutate/a.ts']);
});
