import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../node_modules/fastify/docs', import.meta.url));

/**
 * A long answer: prose, lists and code as an agent writes them, from a pinned version of Fastify's documentation.
 * Artificial text repeats itself, which would make the compression look better.
 */
export function prose(words: number): string {
  const pages = globSync('{Guides,Reference}/*.md', { cwd: folder }).toSorted();
  const text = pages.map((page) => readFileSync(`${folder}/${page}`, 'utf8')).join('\n\n');
  // Repeats only beyond the window of any compression.
  const pieces = chunksOf(text);
  return Array.from({ length: words }, (_, index) => pieces[index % pieces.length]).join('');
}

/** Words with the preceding space, as a model sends them. */
export const chunksOf = (text: string): string[] => text.match(/\s*\S+/g) ?? [];
