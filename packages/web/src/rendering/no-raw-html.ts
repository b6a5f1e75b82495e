/**
 * Stands in for `rehype-raw`, which the markdown library includes: raw HTML of an agent is never parsed here, and
 * with it goes a whole HTML parser from the first load. See vite.config.ts.
 */
export default function noRawHtml(): () => void {
  return () => {};
}
