/** So many blocks are drawn, and skipped while out of sight, together. */
export const groupSize = 16;

/** Blocks in groups: a text of a thousand blocks that grows at its end then costs its last group, not a thousand. */
export function groupsOf(blocks: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (let start = 0; start < blocks.length; start += groupSize) groups.push(blocks.slice(start, start + groupSize));
  return groups;
}

export const sameBlocks = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((block, index) => block === b[index]);

const lineHeight = 24;
const charactersPerLine = 85;

/** About how high a text will stand, before anybody has drawn it. */
export function guessHeight(text: string): number {
  let lines = Math.ceil(text.length / charactersPerLine);
  for (let at = text.indexOf('\n'); at >= 0 && lines < 4000; at = text.indexOf('\n', at + 1)) lines += 0.6;
  return Math.round(lines) * lineHeight;
}

/** Deeper than any person nests; a parser that recurses would run out of stack long before it ran out of text. */
const deepest = 40;

const tooDeep = [
  // Quotes and lists within each other on one line, and lists by indentation.
  new RegExp(`(?:^|\\n)[ \\t]*(?:>[ \\t]?|(?:[-*+]|\\d{1,9}[.)])[ \\t]+){${deepest}}`),
  new RegExp(`\\n[ \\t]{${deepest * 2},}(?:[-*+>]|\\d{1,9}[.)])[ \\t]`),
];
/** Opened for ever, and never closed. A plain search, because the whole of a growing text is looked through. */
const endless = ['[', '(', '*', '_', '~', '`', '<', '!['].map((mark) => mark.repeat(200));

const isDeep = (text: string): boolean =>
  endless.some((marks) => text.includes(marks)) || tooDeep.some((pattern) => pattern.test(text));

const tooWide = /\n[^\n]{0,20}(?:\|[^\n|]{0,200}){300}/;

/** Whether a block is markup to be read as such; what is too large or too deep for that is shown as plain text. */
export const isReadable = (block: string, limit: number): boolean =>
  block.length <= limit && !isDeep(block) && !tooWide.test(block);

/** By empty lines: where a real reading of the text would take too long, or fails. */
const splitPlainly = (text: string): string[] => text.split(/(?<=\n)\n+/);

/** What makes the reader join blocks, and something of the same length that does not. */
const joints = [
  ['[^', '[~'],
  ['<', '‹'],
  ['$$', '$~'],
] as const;

/**
 * The reader joins all blocks of a text with a footnote, and all after an open tag or formula, or after what only looks
 * so: `[^a-z]`, `Promise<void>`, `$$`. They would be drawn as one with every word. We show none of the three as such, so
 * it is shown none. Definitions of links (`[name]: address`) join all blocks too, and are left: links need them.
 */
function lexWithoutJoints(text: string, lex: (text: string) => string[]): string[] {
  const masked = joints.reduce((so, [joint, mask]) => so.replaceAll(joint, () => mask), text);
  let at = 0;
  const blocks = lex(masked).map((block) => text.slice(at, (at += block.length)));
  return at === text.length ? blocks : lex(text);
}

/** Cuts a text into the blocks that can be drawn on their own. `lex` is the reader that knows markdown. */
export function splitBlocks(text: string, lex: (text: string) => string[]): string[] {
  if (isDeep(text)) return splitPlainly(text);
  try {
    return joints.some(([joint]) => text.includes(joint)) ? lexWithoutJoints(text, lex) : lex(text);
  } catch {
    return splitPlainly(text);
  }
}
