import { describe, expect, it } from 'vitest';
import { showControls, showHidden } from './visible-text.ts';

describe('what cannot be seen', () => {
  it('is shown in commands and names', () => {
    expect(showHidden('rm\u202e -rf\u200b x\u0007')).toBe('rm⟨U+202E⟩ -rf⟨U+200B⟩ x␇');
    expect(showHidden('a\u{e0041}b\ufeff')).toBe('a⟨U+E0041⟩b⟨U+FEFF⟩');
  });

  it('is shown in prose where it would act', () => {
    expect(showControls('a\u202eb\u2066c\u001b[2J')).toBe('a⟨U+202E⟩b⟨U+2066⟩c␛[2J');
  });

  it('leaves lines, tabs, other scripts and emoji alone', () => {
    const text = 'a\tb\nשלום\u200f 👩\u200d👩\u200d👧 🏴\u{e0067}\u{e007f} नमस्\u200dते';
    expect(showControls(text)).toBe(text);
    expect(showHidden('a\tb\n👩\u200d👩')).toBe('a\tb\n👩\u200d👩');
  });
});
