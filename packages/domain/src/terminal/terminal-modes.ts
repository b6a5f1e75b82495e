/** The private modes a program set in its terminal: alternate screen, mouse, bracketed paste and others. */
export type TerminalModes = {
  readonly on: readonly number[];
  readonly off: readonly number[];
  /** The start of a sequence whose rest hasn't arrived yet. */
  readonly cut: string;
};

export const initialModes: TerminalModes = { on: [], off: [], cut: '' };

// The longest start of a sequence that is kept for the next piece.
const longestCut = 64;
const escape = '\u001B';
const sequence = new RegExp(String.raw`${escape}(?:\[\?([\d;]*)([hl])|c)`, 'g');
const beginning = new RegExp(String.raw`${escape}(?:\[(?:\?[\d;]*)?)?$`);

/** The modes after a piece of output; each character of `piece` is one byte. */
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

/** The sequences that set these modes in a new terminal. */
export const modesText = ({ on, off }: TerminalModes): string =>
  [...off.map((mode) => `${escape}[?${mode}l`), ...on.map((mode) => `${escape}[?${mode}h`)].join('');
