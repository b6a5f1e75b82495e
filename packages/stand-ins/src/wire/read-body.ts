/** The value's fields, or none: a request body is external data of unknown shape. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** All text in a content value: a string, a list of strings or of parts with `text` or nested `content`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((part) =>
      typeof part === 'string' ? part : asText(asRecord(part)['text']) || textOf(asRecord(part)['content']),
    )
    .filter((text) => text !== '')
    .join('\n');
}
