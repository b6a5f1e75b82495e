import type { TokenizerExtension, Tokens } from 'marked';

/** A line that always starts a new block: a formula ends there, or isn't one. */
const otherBlock = '(?:[ \\t]*(?:\\n|$)| {0,3}(?:#{1,6}[ \\t]|```|~~~|<|\\[[^\\]]*\\]:|(?:[-*_][ \\t]*){3,}(?:\\n|$)))';
const formulaBlock = new RegExp(
  `^ {0,3}(?:\\$\\$(?!\\$)(?:[^$\\n]*\\n(?!${otherBlock}))*?[^$\\n]*?\\$\\$|\\\\\\[(?:[^\\n]*\\n(?!${otherBlock}))*?[^\\n]*?\\\\\\])[ \\t]*(?:\\n+|$)`,
);
const formulaParts = /^\s*(?:\$\$([^]+?)\$\$|\\\[([^]+?)\\\])\s*$/;

/** A footnote: its line, continuation lines, and the indented text below it. */
const noteStart = ' {0,3}\\[\\^[^\\]\\s]{1,60}\\]:';
const noteBlock = new RegExp(
  `^${noteStart}[^\\n]*(?:\\n(?!${otherBlock}|${noteStart})[^\\n]+|\\n+(?: {4}|\\t)[^\\n]+)*(?:\\n+|$)`,
);
const noteParts = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*([^]*)$/;

const emptyLine = /\n[ \t]*\n/;

/** Where such a block starts within a paragraph. Searching further would cost the whole text each time. */
const startOf = (pattern: RegExp) => (source: string) => {
  const found = pattern.exec(source.slice(0, emptyLine.exec(source)?.index));
  return found === null ? undefined : found.index + 1;
};
const startOfFormula = startOf(/\n {0,3}(?:\$\$|\\\[)/);
const startOfNote = startOf(new RegExp(`\\n${noteStart}`));

function extension(name: string, pattern: RegExp, start: (source: string) => number | undefined): TokenizerExtension {
  return {
    name,
    level: 'block',
    start: (source) => start(source),
    tokenizer(source): Tokens.Generic | undefined {
      const found = pattern.exec(source);
      return found === null ? undefined : { type: name, raw: found[0] };
    },
  };
}

const formula = extension('formula', formulaBlock, startOfFormula);
const note = extension('note', noteBlock, startOfNote);

/** Formulas and footnotes as separate blocks, for the lexer. */
export const richExtensions = {
  block: [formula.tokenizer, note.tokenizer],
  startBlock: [startOfFormula, startOfNote],
  renderers: {},
  childTokens: {},
};

/** Whether a formula or a footnote starts after the first line of this text. */
export const isInterrupted = (text: string): boolean =>
  text
    .matchAll(/\n(?= {0,3}(?:\$\$|\\\[|\[\^))/g)
    .map(({ index }) => text.slice(index + 1))
    .some((rest) => formulaBlock.test(rest) || noteBlock.test(rest));

/** The TeX of a block that is just a formula. */
export const formulaOf = (block: string): string | null => {
  const parts = formulaParts.exec(block);
  return parts === null ? null : (parts[1] ?? parts[2] ?? '').trim();
};

/** The label and text of a footnote; the text below its first line loses its indentation. */
export function noteOf(source: string): { readonly label: string; readonly text: string } {
  const [, label = '', text = ''] = noteParts.exec(source) ?? [];
  return { label, text: text.replaceAll(/\n(?: {4}|\t)/g, '\n') };
}

const noteMark = '\ue001';

/** A footnote in a text's list of blocks, and reading it back. */
export const writeNote = (label: string, text: string): string => `${noteMark}${label}\n${text}`;
export function readNote(block: string): { readonly label: string; readonly text: string } | null {
  if (!block.startsWith(noteMark)) return null;
  const end = block.indexOf('\n');
  return { label: block.slice(1, end), text: block.slice(end + 1) };
}
