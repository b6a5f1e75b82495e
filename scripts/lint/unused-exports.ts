import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Source = { readonly file: string; readonly text: string };

/** What stands beside the program. The stand-ins and everything under `scripts` serve tests and developers as a whole. */
const isTest = (file: string): boolean =>
  /\.(test|contract)\.tsx?$|\/(testing|reliability)\/|^(e2e|bench|scripts|packages\/stand-ins)\//.test(file);

/** The sources of a folder, as paths from the repository. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/\/(node_modules|dist)\//.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

const exported = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const wordsOf = (text: string): string[] => text.match(/\b\w+\b/g) ?? [];

/**
 * Exported values of the program that their own file has no use for and no other file names, or tests alone. Words are
 * compared, not imports: some pass that should not, but none is accused for nothing.
 */
export function unusedExports(sources: readonly Source[]): { unused: string[]; usedByTestsAlone: string[] } {
  const files = sources.map(({ file, text }) => ({ file, text, words: new Set(wordsOf(text)) }));
  const exports = files
    .filter(({ file }) => !isTest(file))
    .flatMap(({ file, text }) => [...text.matchAll(exported)].map(([, name = '']) => ({ file, text, name })));
  const namedIn = new Map(exports.map(({ name }) => [name, files.filter(({ words }) => words.has(name))]));
  const found = { unused: [] as string[], usedByTestsAlone: [] as string[] };
  for (const { file, text, name } of exports) {
    const others = (namedIn.get(name) ?? []).filter((other) => other.file !== file);
    const isUsedHere = wordsOf(text).filter((word) => word === name).length > 1;
    if (isUsedHere || others.some((other) => !isTest(other.file))) continue;
    (others.length === 0 ? found.unused : found.usedByTestsAlone).push(`${file}: ${name}`);
  }
  return found;
}
