import { describe, expect, it } from 'vitest';
import { lastPart } from './tool-output.tsx';

describe('lastPart', () => {
  it('returns a short output in full', () => {
    expect(lastPart('')).toEqual({ text: '', hidden: 0 });
    expect(lastPart('a\nb\n')).toEqual({ text: 'a\nb\n', hidden: 0 });
    expect(lastPart('\n\n')).toEqual({ text: '\n\n', hidden: 0 });
  });

  it('returns the last lines of a long one, without cutting a line', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index} of the output`);
    const part = lastPart(lines.join('\n'));
    expect(part.text).toBe(lines.slice(-40).join('\n'));
    expect(part.hidden + part.text.length).toBe(lines.join('\n').length);
  });

  it('cuts a single very long line', () => {
    const part = lastPart('x'.repeat(5_000_000));
    expect(part.text.length).toBe(6000);
    expect(part.hidden).toBe(5_000_000 - 6000);
  });
});
