/** A file, optionally with a line and a column. */
export type NamedPlace = { readonly path: string; readonly line?: number; readonly column?: number };

/** `src/a.ts:14` or `src/a.ts:14:3`: a file with an extension, or in a folder, and a line in it. */
const shape = /^((?:[\w@.+-]+\/)*[\w@+-]*(?:\.[\w+-]+)+|(?:\/?[\w@.+-]+\/)+[\w@.+-]+):(\d{1,7})(?::(\d{1,5}))?$/;
const mention = /^@((?:[\w@.+-]+\/)*[\w@.+-]*[\w@+-])(?::(\d{1,7})(?:-\d{1,7})?)?$/;
/** A run of characters that may form a path. Paths with spaces aren't found, to avoid false matches. */
const word = /[^\s'"`()[\]{}<>,;|]+/g;
const longest = 300;

/** Reads a text that is exactly one file place. */
export function readFilePlace(text: string): NamedPlace | null {
  const found = text.length <= longest && !text.includes('//') ? shape.exec(text) : null;
  if (found === null) return null;
  const [, path = '', line, column] = found;
  return { path, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
}

/** The file that a word such as `@src/a.ts` or `@src/a.ts:3-5` mentions. */
function readMention(text: string): NamedPlace | null {
  const [, path, line] = (text.length <= longest && mention.exec(text)) || [];
  if (path === undefined || !/[./]/.test(path)) return null;
  return { path, ...(line !== undefined && { line: Number(line) }) };
}

export type FoundPlace = NamedPlace & { readonly start: number; readonly end: number };

/** Every file place in a text, in order. Takes linear time for any text. */
export function filePlacesIn(text: string, { mentions = false } = {}): FoundPlace[] {
  const found: FoundPlace[] = [];
  for (const match of text.matchAll(word)) {
    const named = match[0].replace(/[.:!?]{1,3}$/, '');
    const place = readFilePlace(named) ?? (mentions ? readMention(named) : null);
    if (place !== null) found.push({ ...place, start: match.index, end: match.index + named.length });
  }
  return found;
}
