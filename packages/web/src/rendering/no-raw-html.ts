/**
 * Replaces `rehype-raw`, which the markdown library includes: an agent's raw HTML is never parsed here, and the first
 * load doesn't need an HTML parser. See vite.config.ts.
 */
export default function noRawHtml(): () => void {
  return () => {};
}
