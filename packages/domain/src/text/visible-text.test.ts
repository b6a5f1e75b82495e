import { describe, expect, it } from 'vitest';
import { showControls, showHidden } from './visible-text.ts';

describe('invisible characters', () => {
  it('are shown in commands and names', () => {
    expect(showHidden('rm\u202e -rf\u200b x\u0007')).toBe('rm⟨U+202E⟩ -rf⟨U+200B⟩ x␇');
    expect(showHidden('a\u{e0041}b\ufeff')).toBe('a⟨U+E0041⟩b⟨U+FEFF⟩');
  });

  it('are shown in prose if they would have an effect', () => {
    expect(showControls('a\u202eb\u2066c\u001b[2J')).toBe('a⟨U+202E⟩b⟨U+2066⟩c␛[2J');
  });

  it.each(['034F', '115F', '1160', '2800', '3164', 'FFA0', 'E0100', 'E01EF'])(
    'are shown in code and prose: U+%s, which draws nothing at all',
    (code) => {
      const hidden = `rm${String.fromCodePoint(Number.parseInt(code, 16))}x`;
      expect(showHidden(hidden)).toBe(`rm⟨U+${code}⟩x`);
      expect(showControls(hidden)).toBe(`rm⟨U+${code}⟩x`);
    },
  );

  it('are kept in prose if they select a character’s form, but not in code', () => {
    expect(showControls('葛\u{e0100}城')).toBe('葛\u{e0100}城');
    expect(showControls('葛\u{e0100}\u{e0101}')).toBe('葛\u{e0100}⟨U+E0101⟩');
    expect(showHidden('葛\u{e0100}城')).toBe('葛⟨U+E0100⟩城');
  });

  it('don’t include line breaks, tabs, other scripts and emoji', () => {
    const text = 'a\tb\nשלום\u200f 👩\u200d👩\u200d👧 🏴\u{e0067}\u{e007f} नमस्\u200dते';
    expect(showControls(text)).toBe(text);
    expect(showHidden('a\tb\n👩\u200d👩')).toBe('a\tb\n👩\u200d👩');
  });
});
