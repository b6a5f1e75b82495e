import { expect, test } from 'vitest';
import { fencedCode } from './fenced-code.ts';

test('a text becomes a code block', () => {
  expect(fencedCode('a\nb\n\n', 'sh')).toBe('```sh\na\nb\n```\n');
});

test('a fence in the text does not end the block', () => {
  expect(fencedCode('x\n```\n````\n')).toBe('`````\nx\n```\n````\n`````\n');
});
