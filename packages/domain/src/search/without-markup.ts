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
