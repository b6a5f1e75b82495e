import { describe, expect, it } from 'vitest';
import { readAnsi } from './ansi.ts';

const text = (output: string): string =>
  readAnsi(output)
    .map((span) => span.text)
    .join('');

describe('readAnsi', () => {
  it('turns colours into spans', () => {
    expect(readAnsi('a \u001b[1;31mred\u001b[0m b')).toEqual([
      { text: 'a ' },
      { text: 'red', bold: true, color: 'red' },
      { text: ' b' },
    ]);
    expect(readAnsi('\u001b[38;5;196;1mx')).toEqual([{ text: 'x', bold: true }]);
    expect(readAnsi('\u001b[38;2;1;2;3mx\u001b[92my')).toEqual([{ text: 'x' }, { text: 'y', color: 'green' }]);
  });

  it('ignores any other sequence', () => {
    expect(text('a\u001b[2Jb\u001b[10;10Hc')).toBe('abc');
    expect(text('\u001b]0;title\u0007a\u001b]8;;https://x.y\u001b\\b')).toBe('ab');
    expect(text('a\u001b(Bb\u001b')).toBe('ab');
    expect(text('\u001b]0;never ended')).toBe('');
    expect(text('\u001b]0;never ended\nrm -rf /')).toBe('\nrm -rf /');
  });

  it('shows characters that would hide or reverse text', () => {
    expect(text('a\u0000b\u0008c')).toBe('a\u2400b\u2408c');
    expect(text('a\u202eb')).toBe('a⟨U+202E⟩b');
  });

  it('keeps the last version of a line', () => {
    expect(text('10%\r50%\r100%\nok\r\nend\r')).toBe('100%\nok\nend');
  });

  it('reads megabytes on one line quickly', () => {
    const long = 'x'.repeat(5_000_000);
    expect(text(long)).toHaveLength(5_000_000);
  });
});
