import { describe, expect, it } from 'vitest';
import { groupSize, groupsOf, guessHeight, isReadable, sameBlocks, splitBlocks } from './markdown-blocks.ts';

describe('markdown blocks', () => {
  it('keeps earlier groups the same while a text grows at its end', () => {
    const blocks = Array.from({ length: 40 }, (_, index) => `block ${index}`);
    const before = groupsOf(blocks);
    const after = groupsOf([...blocks, 'one more']);
    expect(before.map((group) => group.length)).toEqual([groupSize, groupSize, 8]);
    expect(before.slice(0, 2).every((group, index) => sameBlocks(group, after[index] ?? []))).toBe(true);
    expect(groupsOf([])).toEqual([]);
  });

  it('shows as plain text what would cost a parser its stack or the page its time', () => {
    expect(isReadable('x'.repeat(1001), 1000)).toBe(false);
    expect(isReadable(`${'> '.repeat(500)}deep`, 1000)).toBe(false);
    expect(isReadable(`- a\n${'  '.repeat(60)}- b`, 1000)).toBe(false);
    expect(isReadable('['.repeat(400), 1000)).toBe(false);
    expect(isReadable(`|a\n${'|-'.repeat(400)}`, 1000)).toBe(false);
  });

  it('reads what people write', () => {
    expect(isReadable('> > quoted\n\n- a\n  - b\n    - c', 1000)).toBe(true);
    expect(isReadable(`${'-'.repeat(80)}\n\n${'*'.repeat(20)}`, 1000)).toBe(true);
  });

  it('cuts by empty lines where the reader of markdown would not come to an end', () => {
    const fails = (): string[] => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    expect(splitBlocks('a\n\nb', fails)).toEqual(['a\n', 'b']);
    const deep = `${'>'.repeat(5000)} deep`;
    expect(splitBlocks(`one\n\n${deep}`, fails)).toEqual(['one\n', deep]);
    expect(splitBlocks('a\n\nb', (text) => [text])).toEqual(['a\n\nb']);
  });

  it('cuts a text with footnotes, tags or formulas, or what looks like them, like any other', () => {
    const asTheReaderDoes = (text: string): string[] =>
      /\[\^[^\]]+\]|<\w|\$\$/.test(text) ? [text] : text.split(/(?<=\n\n)/);
    const blocks = [
      'Match `[^a-z]` first.\n\n',
      'Then the rest.[^1]\n\n',

      '<details>\n\n',
      'kill $$\n\n',
      'The end.',
    ];
    expect(splitBlocks(blocks.join(''), asTheReaderDoes)).toEqual(blocks);
    const shortens = (text: string): string[] => [text.replaceAll('\r', '')];
    expect(splitBlocks('a [^1]\r\n', shortens), 'a reader that changes the text is taken as it is').toEqual([
      'a [^1]\n',
    ]);
  });

  it('guesses a height that grows with the text', () => {
    expect(guessHeight('short')).toBe(24);
    expect(guessHeight('x'.repeat(850))).toBe(240);
    expect(guessHeight('a\n'.repeat(100))).toBeGreaterThan(1200);
  });
});
