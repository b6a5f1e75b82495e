import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOfSide } from './patch-side.ts';
import { reviewMessage } from './review-message.ts';

const comment = (part: object = {}) => ({
  path: 'src/a.ts',
  side: 'new' as const,
  startLine: 3,
  endLine: 4,
  quote: 'one();\ntwo();\n',
  text: 'Not like this.',
  outdated: false,
  ...part,
});

it('RV-5: names path and lines, quotes the code in a fence, and includes the comment', () => {
  expect(reviewMessage([comment()])).toBe(
    [
      'I reviewed your changes and have a comment. Please address each one.',
      '',
      '### 1. src/a.ts, lines 3-4',
      '',
      '```ts',
      'one();',
      'two();',
      '```',
      '',
      'Not like this.',
    ].join('\n'),
  );
});

it('RV-5: puts the note first, and the comments in file order', () => {
  const message = reviewMessage(
    [comment({ path: 'b.ts' }), comment({ startLine: 9, endLine: 9, side: 'old' }), comment()],
    ' Almost there. ',
  );
  expect(message.startsWith('Almost there.\n\n### 1. src/a.ts')).toBe(false);
  expect(message.match(/^### .*$/gm)).toEqual([
    '### 1. b.ts, lines 3-4',
    '### 2. src/a.ts, lines 3-4',
    '### 3. src/a.ts, line 9 (before the change)',
  ]);
});

it('RV-5: no quoted code ends its fence', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('`', 'a', '\n') }).filter((quote) => quote.trim() !== ''),
      (quote) => {
        const message = reviewMessage([comment({ quote })]);
        const fence = /^(`{3,})ts$/m.exec(message)?.[1] ?? '';
        expect(quote).not.toContain(fence);
      },
    ),
  );
});

it('reads the lines of each side from a patch', () => {
  const patch =
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@\n same\n-old\n+new\n\\ No newline at end of file\n';
  expect([...linesOfSide(patch, 'old')]).toEqual([
    [2, 'same'],
    [3, 'old'],
  ]);
  expect([...linesOfSide(patch, 'new')]).toEqual([
    [2, 'same'],
    [3, 'new'],
  ]);
});
