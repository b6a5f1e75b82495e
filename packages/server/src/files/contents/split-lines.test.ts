import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './split-lines.ts';

function split(chunks: readonly string[], longest = 8): (string | null)[] {
  const lines: (string | null)[] = [];
  const add = createLineSplitter(longest, (line) => lines.push(line));
  for (const chunk of chunks) add(Buffer.from(chunk, 'latin1'));
  return lines;
}

describe('splitting output into lines', () => {
  it('joins a line, and a character, that arrives in parts', () => {
    const bytes = Buffer.from('é one\ntwo\n').toString('latin1');
    expect(split(bytes.split(''))).toEqual(['é one', 'two']);
    expect(split([bytes])).toEqual(['é one', 'two']);
  });

  it('reports a line that is too long as null, once, and then goes on', () => {
    expect(split(['12345678\n123456', '789', 'more\nnext\n\n'])).toEqual(['12345678', null, 'next', '']);
  });

  it('ignores an incomplete last line', () => {
    expect(split(['one\ntw'])).toEqual(['one']);
  });
});
