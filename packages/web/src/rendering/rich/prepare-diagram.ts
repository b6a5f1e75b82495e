/** Drawing runs on the page's main thread: a larger diagram would block it. */
const longest = 12_000;

/** Syntax that would load or run something. Such a diagram is shown as source. */
const forbidden = /url\s*\(|@import|javascript:|\bimg\s*:|\bhttps?:\/\/[^\s"']*["'][^\n]*\bimg\b|expression\s*\(/i;

const frontmatter = /^\s*---[ \t]*\n[^]*?\n---[ \t]*(?:\n|$)/;
const title = /^title:[ \t]*(.+)$/m;
/** `%%{init: …}%%` and similar. */
const directive = /%%\{[^]*?\}%%/g;
/** A tag, but neither a line break nor the `<<interface>>` of class diagrams. */
const tag = /(?<!<)<(?=[a-z/!?])(?!br\s*\/?>)/gi;
/** Menus of a sequence diagram. An image has none, and the library would add an event handler to the page. */
const sequence = /^\s*sequenceDiagram\b/;
const menu = /(?<=^|;)[ \t]*(?:links?|properties|details)\b[^\n;]*/gim;

/**
 * A diagram's source in a safe form, or null if it must not be drawn. Its author controls what it shows, never how the
 * library works: configuration is removed, tags become text, and formulas in it aren't drawn.
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
