import type { z } from 'zod';

/** Parses a value written by another node, possibly of a newer version. Undefined if it doesn't match our schema. */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  text: string | undefined,
): z.infer<Schema> | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
