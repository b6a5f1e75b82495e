import type { Tokens } from 'marked';

/** How many blocks are drawn, and skipped outside the visible area, together. */
export const groupSize = 16;

/** Groups blocks, so a long text that grows at its end only updates its last group. */
export function groupsOf<Block>(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (let start = 0; start < blocks.length; start += groupSize) groups.push(blocks.slice(start, start + groupSize));
  return groups;
}

export const sameBlocks = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((block, index) => block === b[index]));

const lineHeight = 24;
const charactersPerLine = 85;

/** The estimated height of a text before it is drawn. */
export function guessHeight(text: string): number {
  let lines = Math.ceil(text.length / charactersPerLine);
  for (let at = text.indexOf('\n'); at >= 0 && lines < 4000; at = text.indexOf('\n', at + 1)) lines += 0.6;
  return Math.round(lines) * lineHeight;
}

/** Deeper than anyone nests; a recursive parser would run out of stack long before it ran out of text. */
const deepest = 40;

const tooDeep = [
  // Nested quotes and lists on one line, and lists by indentation.
  new RegExp(`(?:^|\\n)[ \\t]*(?:>[ \\t]?|(?:[-*+]|\\d{1,9}[.)])[ \\t]+){${deepest}}`),
  new RegExp(`\\n[ \\t]{${deepest * 2},}(?:[-*+>]|\\d{1,9}[.)])[ \\t]`),
];
/** Markers that open again and again without closing. */
const endless = ['[', '(', '*', '_', '~', '`', '<', '!['].map((mark) => mark.repeat(200));

export const isDeep = (text: string): boolean =>
  endless.some((marks) => text.includes(marks)) || tooDeep.some((pattern) => pattern.test(text));

const tooWide = /\n[^\n]{0,20}(?:\|[^\n|]{0,200}){300}/;

/** Whether to parse a block as markup; one that is too large or too deep is shown as plain text. */
export const isReadable = (block: string, limit: number): boolean =>
  block.length <= limit && !isDeep(block) && !tooWide.test(block);

/** How many items of a list are drawn together. */
const itemsTogether = 16;

/** Each piece of a numbered list has to start with the right number. */
function keepsCount({ ordered, start, items }: Tokens.List, index: number): boolean {
  if (!ordered) return true;
  const written = /^\s*(\d+)/.exec(items[index]?.raw ?? '')?.[1];
  return Number(written) === Number(start) + index;
}

/** The lengths of a list's pieces, so a list that grows only redraws its last items. */
export function cutList(list: Tokens.List): readonly number[] {
  const lengths: number[] = [0];
  for (const [index, { raw }] of list.items.entries()) {
    if (index > 0 && index % itemsTogether === 0 && keepsCount(list, index)) lengths.push(0);
    lengths.push((lengths.pop() ?? 0) + raw.length);
  }
  const whole = list.raw.length;
  return lengths.reduce((sum, length) => sum + length, 0) === whole ? lengths : [whole];
}

/** One line of letters, digits and everyday punctuation that starts with a letter: it can't contain markup. */
const plainText = /^\p{L}[\p{L}\p{N} ,.;:?!'"()/%…–—‘’“”，。、；：？！（）「」-]*\n*$/u;
/** Text that becomes a link automatically. */
const address = /:\/\/|www\.|mailto:|xmpp:/i;

/** Whether a block is just a plain paragraph. May return false for one, but never true for anything else. */
export const isProse = (block: string): boolean => plainText.test(block) && !address.test(block);
