import { snippetMarks } from '@liminal/contracts';
import { type Find, findWords, type SearchWords } from './find-words.ts';

const before = 60;
const longest = 200;
/** How much of a long text is searched for the part to show. */
const lookedAt = 64 * 1024;

/** One line of the text around the first match, with every match marked. */
export function snippetOf(text: string, words: SearchWords): string {
  const head = text.slice(0, lookedAt);
  // A phrase may occur beyond the searched part: then show the matches of the others.
  const finds = findWords(head, words) ?? words.phrases.flatMap((phrase) => findEach(head, phrase));
  const start = lineStart(head, Math.max(0, (finds[0]?.start ?? 0) - before), finds[0]?.start ?? 0);
  const end = wordEnd(head, Math.min(head.length, start + longest));
  const marked = markFinds(head.slice(start, end), start, finds);
  return `${start > 0 ? '…' : ''}${marked}${end < text.length ? '…' : ''}`;
}

const findEach = (text: string, phrase: string): readonly Find[] =>
  findWords(text, { phrases: [phrase], isOpenEnded: true }) ?? [];

function markFinds(window: string, start: number, finds: readonly Find[]): string {
  let line = '';
  let at = 0;
  for (const find of finds) {
    const from = find.start - start;
    const to = find.end - start;
    if (from < at || to > window.length) continue;
    line += `${plain(window.slice(at, from))}${snippetMarks.start}${plain(window.slice(from, to))}${snippetMarks.end}`;
    at = to;
  }
  return (line + plain(window.slice(at))).trim();
}

/** An agent's text on one line: no line breaks, and none of our markers. */
const plain = (text: string): string => text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');

/** Cuts at a space if there is one, but never after the start of the match. */
function lineStart(text: string, from: number, find: number): number {
  if (from === 0) return 0;
  const gap = text.slice(from, find).search(/\s/);
  return gap < 0 ? from : from + gap + 1;
}

function wordEnd(text: string, to: number): number {
  if (to === text.length) return to;
  const gap = text.slice(0, to).lastIndexOf(' ');
  return gap > to - 40 ? gap : to;
}

type SnippetPart = { readonly text: string; readonly isFind: boolean };

/** A search snippet in parts, with the matches marked. */
export function snippetParts(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  for (const [index, piece] of snippet.split(snippetMarks.start).entries()) {
    const end = piece.indexOf(snippetMarks.end);
    if (index === 0 || end < 0) parts.push({ text: piece, isFind: false });
    else parts.push({ text: piece.slice(0, end), isFind: true }, { text: piece.slice(end + 1), isFind: false });
  }
  return parts.filter(({ text }) => text !== '');
}

/**
 * A line of Markdown as a reader sees it: without emphasis, code and heading characters, and links as text only. The
 * markers around matches stay in place.
 */
export const withoutMarkup = (line: string): string =>
  line
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|`+|~~/g, '')
    .replace(/(^|\s)#{1,6}\s+/g, '$1')
    .replace(/(^|[\s(])[*_](\S(?:[^*_]*\S)?)[*_](?=$|[\s).,:;!?])/g, '$1$2');
