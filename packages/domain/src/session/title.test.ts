import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

describe('titles', () => {
  it.each([
    ['Fix the bug', 'Fix the bug'],
    ['\n\n# **Plan** for `sum.js`\nmore', 'Plan for sum.js'],
    ['- [the issue](http://x/y) and snake_case', 'the issue and snake_case'],
    ['```ts\nconst a = 1\n```', 'const a = 1'],
    ['bell\u0007 and\ttab', 'bell and tab'],
    ['   ', ''],
  ])('%j becomes %j', (text, title) => expect(titleOf(text)).toBe(title));

  it('are shortened at a word, and never inside a character', () => {
    expect(titleOf('word '.repeat(40))).toBe(`${'word '.repeat(15)}word…`);
    expect(titleOf('😀'.repeat(200)).isWellFormed()).toBe(true);
  });
});
