import type { Tokens } from 'marked';

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

/** So many items of a list are drawn together. */
const itemsTogether = 16;

/** A piece of a numbered list begins with the number it was written with; that has to be the right one. */
function keepsCount({ ordered, start, items }: Tokens.List, index: number): boolean {
  if (!ordered) return true;
  const written = /^\s*(\d+)/.exec(items[index]?.raw ?? '')?.[1];
  return Number(written) === Number(start) + index;
}

/** The lengths of the pieces in which a list is drawn: one that grows costs its last items then, not all of them. */
export function cutList(list: Tokens.List): readonly number[] {
  const lengths: number[] = [0];
  for (const [index, { raw }] of list.items.entries()) {
    if (index > 0 && index % itemsTogether === 0 && keepsCount(list, index)) lengths.push(0);
    lengths.push((lengths.pop() ?? 0) + raw.length);
  }
  const whole = list.raw.length;
  return lengths.reduce((sum, length) => sum + length, 0) === whole ? lengths : [whole];
}

/** One line of letters, digits and everyday punctuation that begins with a letter: no character of it can be markup. */
const plainText = /^\p{L}[\p{L}\p{N} ,.;:?!'"()/%…–—‘’“”，。、；：？！（）「」-]*\n*$/u;
/** What becomes a link by itself. */
const address = /:\/\/|www\.|mailto:|xmpp:/i;

/** Whether a block is nothing but a paragraph of words. It may say no where it is, never yes where it is not. */
export const isProse = (block: string): boolean => plainText.test(block) && !address.test(block);
