import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One import of a file by another, both as paths from the repository root. */
export type Import = { readonly from: string; readonly to: string };

/** Folders outside the program, which may import anything. */
const isTest = (file: string): boolean => /\.(test|contract)\.tsx?$|\/(testing|reliability)\//.test(file);

/** Every import by relative path in the sources of a folder. */
export function importsIn(folder: string): Import[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((file) => /\.tsx?$/.test(file) && !isTest(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)].map(([, to = '']) => ({
        from: file,
        to: path.posix.join(path.posix.dirname(file), to),
      })),
    );
}

/** The first folder below `root` that contains a file. Empty for files in `root` itself. */
export const folderOf = (root: string, file: string): string =>
  file.startsWith(root) && file.slice(root.length).includes('/') ? (file.slice(root.length).split('/')[0] ?? '') : '';

/** The folders below `root` that import each other in a cycle. Empty if there are none. */
export function foldersInCycle(root: string, imports: readonly Import[]): string[] {
  const needs = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [folderOf(root, from), folderOf(root, to)];
    if (a === '' || b === '' || a === b) continue;
    needs.set(a, (needs.get(a) ?? new Set()).add(b));
  }
  let left = [...needs.keys()];
  for (;;) {
    const stuck = left.filter((folder) => [...(needs.get(folder) ?? [])].some((other) => left.includes(other)));
    if (stuck.length === left.length) return stuck;
    left = stuck;
  }
}
