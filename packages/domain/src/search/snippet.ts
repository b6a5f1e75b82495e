import { snippetMarks } from '@liminal/contracts';
import { type Find, findWords, type SearchWords } from './find-words.ts';

const before = 60;
const longest = 200;
/** How much of a long text is looked through for the place to show. */
const lookedAt = 64 * 1024;

/** One line of the text around the first find, every find in it between marks. */
export function snippetOf(text: string, words: SearchWords): string {
  const head = text.slice(0, lookedAt);
  // A phrase may stand further down than we look: then those that are here are shown.
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

/** Text of agents on one line: no breaks, and none of our own marks in it. */
const plain = (text: string): string => text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');

/** Cuts at a gap between words where there is one, but never behind the find itself. */
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

/** A snippet of a search as pieces to draw, with the matches marked. */
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
 * A line of Markdown as a reader would see it: without emphasis, code and heading signs, and links by their text alone.
 * The marks around finds stay where they are.
 */
export const withoutMarkup = (line: string): string =>
  line
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|`+|~~/g, '')
    .replace(/(^|\s)#{1,6}\s+/g, '$1')
    .replace(/(^|[\s(])[*_](\S(?:[^*_]*\S)?)[*_](?=$|[\s).,:;!?])/g, '$1$2');
