import { describe, expect, it } from 'vitest';
import { initialModes, modesAfter, modesText } from './terminal-modes.ts';

const after = (...pieces: string[]) => modesText(pieces.reduce(modesAfter, initialModes));

describe('the modes of a terminal', () => {
  it('are the last ones set, in order', () => {
    expect(after('\u001B[?1049h\u001B[?2004hvim\u001B[?25l\u001B[?2004l')).toBe(
      '\u001B[?25l\u001B[?2004l\u001B[?1049h',
    );
    expect(after('\u001B[?1000;1006h')).toBe('\u001B[?1000h\u001B[?1006h');
  });

  it('are found in a sequence that is cut anywhere', () => {
    const text = 'a\u001B[?1049hb';
    for (let place = 0; place <= text.length; place += 1)
      expect(after(text.slice(0, place), text.slice(place))).toBe('\u001B[?1049h');
  });

  it('are cleared by a reset, and unaffected by other sequences', () => {
    expect(after('\u001B[?1049h\u001Bc')).toBe('');
    expect(after('\u001B[31m\u001B[2J\u001B[4h plain')).toBe('');
  });

  it('never exceed the known modes, whatever arrives', () => {
    const modes = modesAfter(initialModes, `\u001B[?${'1;'.repeat(100_000)}`);
    expect(modes.cut.length).toBeLessThanOrEqual(64);
  });
});
