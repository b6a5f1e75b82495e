/**
 * Syntax that the markdown parser doesn't know passes through it as code, so a formula's characters aren't read as
 * markup. A private-use character distinguishes it from real code. If an agent writes that character itself, its code
 * just becomes a formula.
 */
const mark = '\ue000';

export type InlineMark =
  | { readonly kind: 'formula' | 'display'; readonly tex: string }
  | { readonly kind: 'note'; readonly label: string };

const letters = { formula: 'f', display: 'd', note: 'n' } as const;

/** A code span with the mark, whatever backticks the text contains. */
function span(letter: string, text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${mark}${letter}${text} ${fence}`;
}

/** The mark in a code span, or null if it is real code. */
export function readMark(code: string): InlineMark | null {
  if (!code.startsWith(mark)) return null;
  const text = code.slice(2).trim();
  const kind = (Object.keys(letters) as InlineMark['kind'][]).find((each) => letters[each] === code[1]);
  if (kind === undefined) return null;
  return kind === 'note' ? { kind, label: text } : { kind, tex: text };
}

const codeSpan = '(?<ticks>`+)(?!`)[^]*?(?<!`)\\k<ticks>(?!`)|(?:^|\\n)[ \\t>]*~~~[^]*?\\n[ \\t>]*~~~';
const formulas = new RegExp(
  [
    codeSpan,
    '\\$\\$(?!\\$)(?<display>(?:[^$\\\\]|\\\\[^]){1,3000}?)\\$\\$',
    '\\\\\\[(?<bracketed>(?:(?!\\\\\\])[^]){1,3000}?)\\\\\\]',
    '\\\\\\((?<parenthesised>(?:(?!\\\\\\))[^]){1,600}?)\\\\\\)',
    '\\\\[^]',
    '(?<![\\w$])\\$(?![\\s${])(?<inline>(?:[^$\\n\\\\`]|\\\\[^\\n]){0,600}?(?:[^\\s$\\\\]|\\\\[^\\s]))\\$(?![\\w${])',
  ].join('|'),
  'g',
);

const evidence = /[\\^_={}+]/;

/** `$5 or 6$` is money and `$HOME$` a variable: words without any TeX aren't a formula. */
function isFormula(text: string): boolean {
  const plain = text.replaceAll(/\\[a-zA-Z]+(?:\{[^{}]*\})?/g, '');
  if (/[A-Za-z]{3,}\s+[A-Za-z]{3,}/.test(plain)) return false;
  return /[\\^_]/.test(text) || !/[A-Za-z]{2,}/.test(plain);
}

const oneLine = (tex: string): string => tex.replaceAll(/(?<!\\)%[^\n]*(?:\n|$)/g, '\n').replaceAll('\n', ' ');

/** Blocks that are entirely code or HTML. */
const isCode = (block: string): boolean => /^(?: {0,3}(?:```|~~~|<)| {4}|\t)/.test(block);

const hasFormula = /\$|\\[([]/;

/** Marks the formulas of a block. `$…$` counts if it can hardly be anything else, `\[…\]` if it contains TeX. */
export function markFormulas(block: string): string {
  if (!hasFormula.test(block) || isCode(block)) return block;
  return block.replaceAll(formulas, (whole: string, ...rest: unknown[]) => {
    const { display, bracketed, parenthesised, inline } = rest.at(-1) as Record<string, string | undefined>;
    if (display !== undefined) return isFormula(display) ? span(letters.display, oneLine(display)) : whole;
    if (bracketed !== undefined) return evidence.test(bracketed) ? span(letters.display, oneLine(bracketed)) : whole;
    const tex = parenthesised ?? (inline !== undefined && isFormula(inline) ? inline : undefined);
    return tex === undefined ? whole : span(letters.formula, oneLine(tex));
  });
}

const references = new RegExp(`${codeSpan}|\\\\[^]|\\[\\^(?<label>[^\\]\\s]{1,60})\\](?!:)`, 'g');

/** Marks the references to footnotes that exist in the text. */
export function markNotes(block: string, isNote: (label: string) => boolean): string {
  if (!block.includes('[^')) return block;
  return block.replaceAll(references, (whole: string, ...rest: unknown[]) => {
    const { label } = rest.at(-1) as Record<string, string | undefined>;
    return label !== undefined && isNote(label) ? span(letters.note, label) : whole;
  });
}
