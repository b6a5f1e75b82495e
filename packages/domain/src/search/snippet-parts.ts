import { snippetMarks } from '@liminal/contracts';

export type SnippetPart = { readonly text: string; readonly isFind: boolean };

/** A snippet of a search as pieces to draw, with what was found told apart from the rest. */
export function snippetParts(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  for (const [index, piece] of snippet.split(snippetMarks.start).entries()) {
    const end = piece.indexOf(snippetMarks.end);
    if (index === 0 || end < 0) parts.push({ text: piece, isFind: false });
    else parts.push({ text: piece.slice(0, end), isFind: true }, { text: piece.slice(end + 1), isFind: false });
  }
  return parts.filter(({ text }) => text !== '');
}
