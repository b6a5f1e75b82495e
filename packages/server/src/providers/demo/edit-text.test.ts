import { reviewMessage } from '@liminal/domain/review/review-message';
import { expect, test } from 'vitest';
import { addressComment, improveGreeting, readReview } from './edit-text.ts';
import { scratchFiles } from './scratch-files.ts';

const file = 'one();\ntwo();\nthree();\n';
const comment = { path: 'a.ts', side: 'new', startLine: 2, endLine: 2, quote: 'two();\n', outdated: false } as const;
const read = (text: string) => readReview(reviewMessage([{ ...comment, text }]))[0];

test('RV-5: reads a review back from its message, whatever code and comments contain', () => {
  const quote = '```ts\n### 9. x.ts, line 1\n```\n';
  const message = reviewMessage(
    [
      { ...comment, text: 'First.\n\nSecond.' },
      { ...comment, path: 'b, c.ts', startLine: 4, endLine: 6, quote, text: 'Why?', outdated: true },
    ],
    'Please look.',
  );
  expect(readReview(message)).toEqual([
    { path: 'a.ts', startLine: 2, quote: 'two();', text: 'First.\n\nSecond.' },
    { path: 'b, c.ts', startLine: 4, quote: quote.trimEnd(), text: 'Why?' },
  ]);
  expect(readReview('edit a file')).toEqual([]);
});

test.each([
  ['Please remove this.', 'one();\nthree();\n'],
  ['Rename two to second', 'one();\nsecond();\nthree();\n'],
  ['use `b` instead of `two`', 'one();\nb();\nthree();\n'],
  ['Better:\n```ts\n2();\nzwei();\n```', 'one();\n2();\nzwei();\nthree();\n'],
  ['Why twice?', 'one();\n// Review: Why twice?\ntwo();\nthree();\n'],
])('"%s" changes the commented lines and no others', (text, expected) => {
  const found = read(text);
  expect(found && addressComment(file, found)).toBe(expected);
});

test('finds lines that moved, but not lines that are gone', () => {
  const found = read('Remove it');
  if (!found) throw new Error('no comment');
  expect(addressComment(`zero();\n${file}`, found)).toBe('zero();\none();\nthree();\n');
  expect(addressComment('one();\n', found)).toBeNull();
});

test('each edit changes the greeting once more', () => {
  let text = scratchFiles['src/greeting.js'] ?? '';
  for (let round = 0; round < 5; round += 1) {
    const next = improveGreeting(text);
    expect(next).not.toBe(text);
    text = next;
  }
});
