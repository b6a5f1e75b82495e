import { describe, expect, it } from 'vitest';
import { groupSize, groupsOf, guessHeight, isReadable, sameBlocks } from './markdown-blocks.ts';

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

  it('guesses a height that grows with the text', () => {
    expect(guessHeight('short')).toBe(24);
    expect(guessHeight('x'.repeat(850))).toBe(240);
    expect(guessHeight('a\n'.repeat(100))).toBeGreaterThan(1200);
  });
});
