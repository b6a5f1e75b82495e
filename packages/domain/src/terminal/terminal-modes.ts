/** The switches a program set in its terminal: the alternate screen, the mouse, bracketed paste and others. */
export type TerminalModes = {
  readonly on: readonly number[];
  readonly off: readonly number[];
  /** The beginning of a sequence whose rest has not come yet. */
  readonly cut: string;
};

export const initialModes: TerminalModes = { on: [], off: [], cut: '' };

// Longest first part of a sequence that is kept for the next piece.
const longestCut = 64;
const escape = '\u001B';
const sequence = new RegExp(String.raw`${escape}(?:\[\?([\d;]*)([hl])|c)`, 'g');
const beginning = new RegExp(String.raw`${escape}(?:\[(?:\?[\d;]*)?)?$`);

/** The modes after a piece of output, in which each byte is one character. */
export function modesAfter(modes: TerminalModes, piece: string): TerminalModes {
  const text = modes.cut + piece;
  const cut = beginning.exec(text.slice(-longestCut))?.[0] ?? '';
  let on = new Set(modes.on);
  let off = new Set(modes.off);
  for (const [, numbers, final] of text.matchAll(sequence)) {
    if (final === undefined) {
      on = new Set();
      off = new Set();
      continue;
    }
    const [into, outOf] = final === 'h' ? [on, off] : [off, on];
    for (const number of (numbers ?? '').split(';').map(Number)) {
      outOf.delete(number);
      into.delete(number);
      into.add(number);
    }
  }
  return { on: [...on], off: [...off], cut };
}

/** Brings a new terminal into these modes. */
export const modesText = ({ on, off }: TerminalModes): string =>
  [...off.map((mode) => `${escape}[?${mode}l`), ...on.map((mode) => `${escape}[?${mode}h`)].join('');
