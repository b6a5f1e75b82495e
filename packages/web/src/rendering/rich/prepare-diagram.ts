/** Drawing happens on the page's own thread: what is larger would hold it. */
const longest = 12_000;

/** What would load something, or run it. It is shown as it is written. */
const forbidden = /url\s*\(|@import|javascript:|\bimg\s*:|\bhttps?:\/\/[^\s"']*["'][^\n]*\bimg\b|expression\s*\(/i;

const frontmatter = /^\s*---[ \t]*\n[^]*?\n---[ \t]*(?:\n|$)/;
const title = /^title:[ \t]*(.+)$/m;
/** `%%{init: …}%%` and its kin. */
const directive = /%%\{[^]*?\}%%/g;
/** A tag, but neither a line break nor the `<<interface>>` of class diagrams. */
const tag = /(?<!<)<(?=[a-z/!?])(?!br\s*\/?>)/gi;
/** Menus of a sequence diagram. A picture has none, and the library would put a handler of its own into the page. */
const sequence = /^\s*sequenceDiagram\b/;
const menu = /(?<=^|;)[ \t]*(?:links?|properties|details)\b[^\n;]*/gim;

/**
 * A diagram's source as it may be drawn, or null where it may not. Its author chooses what it shows, never how the
 * library works: configuration is left out, tags become text, and formulas are not drawn inside of it.
 */
export function prepareDiagram(source: string): string | null {
  if (source.length > longest || forbidden.test(source)) return null;
  const head = frontmatter.exec(source)?.[0] ?? '';
  const named = title.exec(head)?.[1];
  const plain = source.slice(head.length).replaceAll(directive, '').replaceAll(tag, '#lt;').replaceAll('$$', '$');
  const body = sequence.test(plain) ? plain.replaceAll(menu, '') : plain;
  return named === undefined
    ? body
    : `---\ntitle: ${JSON.stringify(named.replaceAll(/^["']|["']$/g, ''))}\n---\n${body}`;
}
