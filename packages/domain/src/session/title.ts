const longestTitle = 80;

/** A title from a message: its first line with words, without Markdown, shortened at a word. */
export function titleOf(text: string): string {
  // Reads only the beginning of a long paste, to stay fast.
  const lines = text.slice(0, 2000).split('\n').map(plain);
  const line = lines.find((candidate) => candidate !== '') ?? '';
  const characters = Array.from(line);
  if (characters.length <= longestTitle) return line;
  const cut = characters.slice(0, longestTitle).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${(lastSpace > longestTitle / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}

function plain(line: string): string {
  return line
    .replace(/^```.*$/, '')
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*~]{1,3}/g, '')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
