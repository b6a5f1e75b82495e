/** A line of a file, and a column of it. */
export type NamedPlace = { readonly path: string; readonly line?: number; readonly column?: number };

/** `src/a.ts:14` or `src/a.ts:14:3`: a file with an ending, or in a folder, and a line of it. */
const shape = /^((?:[\w@.+-]+\/)*[\w@+-]*(?:\.[\w+-]+)+|(?:\/?[\w@.+-]+\/)+[\w@.+-]+):(\d{1,7})(?::(\d{1,5}))?$/;
const mention = /^@((?:[\w@.+-]+\/)*[\w@.+-]*[\w@+-])(?::(\d{1,7})(?:-\d{1,7})?)?$/;
/** What a path in a text is not part of. A path with a space in it isn't found; one that isn't a path would be worse. */
const word = /[^\s'"`()[\]{}<>,;|]+/g;
const longest = 300;

/** The place that a text names, and nothing else. */
export function readFilePlace(text: string): NamedPlace | null {
  const found = text.length <= longest && !text.includes('//') ? shape.exec(text) : null;
  if (found === null) return null;
  const [, path = '', line, column] = found;
  return { path, line: Number(line), ...(column !== undefined && { column: Number(column) }) };
}

/** The file that a word like `@src/a.ts` or `@src/a.ts:3-5` of a message means. */
function readMention(text: string): NamedPlace | null {
  const [, path, line] = (text.length <= longest && mention.exec(text)) || [];
  if (path === undefined || !/[./]/.test(path)) return null;
  return { path, ...(line !== undefined && { line: Number(line) }) };
}

export type FoundPlace = NamedPlace & { readonly start: number; readonly end: number };

/** Every place that is named in a text, in order. Takes as long as the text, whatever it is. */
export function filePlacesIn(text: string, { mentions = false } = {}): FoundPlace[] {
  const found: FoundPlace[] = [];
  for (const match of text.matchAll(word)) {
    const named = match[0].replace(/[.:!?]{1,3}$/, '');
    const place = readFilePlace(named) ?? (mentions ? readMention(named) : null);
    if (place !== null) found.push({ ...place, start: match.index, end: match.index + named.length });
  }
  return found;
}
