/** Characters that change the reading direction: overrides, embeddings, isolates. */
const turning = '\\u202a-\\u202e\\u2066-\\u2069';
const controls = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
/** Fillers, the Braille blank and a joiner: they draw nothing, although they count as letters, symbols or marks. */
const blank = '\\u034f\\u115f\\u1160\\u2800\\u3164\\uffa0';
const selectors = '[\\u{e0100}-\\u{e01ef}]';
// A selector after an ideograph chooses the form of the character, as in Japanese names.
const inProse = new RegExp(`[${controls}${turning}${blank}]|(?<!\\p{Ideographic})${selectors}`, 'gu');
// Names and commands need no invisible characters. Joiners stay, because scripts and emoji need them.
const inCode = new RegExp(
  `[${controls}${turning}${blank}\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028\\u2029\\u2060-\\u2064\\ufeff]|[\\u{e0000}-\\u{e007f}]|${selectors}`,
  'gu',
);

/** Replaces a character that would have an effect on the screen with one that only shows it. */
function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** Prose with its direction changes and control characters made visible, so they have no effect. */
export const showControls = (text: string): string => text.replace(inProse, show);

/** For commands, paths and code: nothing may be invisible to the user who reads or approves it. */
export const showHidden = (text: string): string => text.replace(inCode, show);
