/** So many blocks are drawn, and skipped while out of sight, together. */
export const groupSize = 16;

/** Blocks in groups: a text of a thousand blocks that grows at its end then costs its last group, not a thousand. */
export function groupsOf<Block>(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (let start = 0; start < blocks.length; start += groupSize) groups.push(blocks.slice(start, start + groupSize));
  return groups;
}

export const sameBlocks = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((block, index) => block === b[index]));

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
/** Opened for ever, and never closed. */
const endless = ['[', '(', '*', '_', '~', '`', '<', '!['].map((mark) => mark.repeat(200));

export const isDeep = (text: string): boolean =>
  endless.some((marks) => text.includes(marks)) || tooDeep.some((pattern) => pattern.test(text));

const tooWide = /\n[^\n]{0,20}(?:\|[^\n|]{0,200}){300}/;

/** Whether a block is markup to be read as such; what is too large or too deep for that is shown as plain text. */
export const isReadable = (block: string, limit: number): boolean =>
  block.length <= limit && !isDeep(block) && !tooWide.test(block);
