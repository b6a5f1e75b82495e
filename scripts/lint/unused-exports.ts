import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Source = { readonly file: string; readonly text: string };

/** Folders outside the program. The stand-ins and everything in `scripts` serve tests and developers. */
const isTest = (file: string): boolean =>
  /\.(test|contract)\.tsx?$|\/(testing|reliability)\/|^(e2e|bench|scripts|packages\/stand-ins)\//.test(file);

export const readSource = (file: string): Source => ({ file, text: readFileSync(file, 'utf8') });

/** The sources of a folder, as paths from the repository root. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : sourcesIn(file);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [readSource(file)] : [];
  });
}

const exported = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
/** Programs inside template strings aren't ours. */
const withoutTemplates = (text: string): string => text.replace(/`[^`]*`/g, '``');
const wordsOf = (text: string): string[] => text.match(/\b\w+\b/g) ?? [];

export type UnusedExports = {
  /** Nothing uses it, not even its own file. */
  readonly unused: string[];
  /** Only its own file uses it, so it needs no `export`. */
  readonly usedAtHomeAlone: string[];
  /** Only tests use it, so it belongs in a `testing` folder. */
  readonly usedByTestsAlone: string[];
};

/**
 * Exported values that no other file of the program names. Compares words, not imports: it may miss some, but never
 * reports one wrongly.
 */
export function unusedExports(sources: readonly Source[]): UnusedExports {
  const exports = sources.flatMap(({ file, text }) =>
    [...withoutTemplates(text).matchAll(exported)].map(([, name = '']) => ({ file, name })),
  );
  /** How often each file names an exported value. */
  const uses = new Map(exports.map(({ name }) => [name, new Map<string, number>()]));
  for (const { file, text } of sources) {
    for (const word of wordsOf(text)) {
      const inFiles = uses.get(word);
      inFiles?.set(file, (inFiles.get(file) ?? 0) + 1);
    }
  }
  const found: UnusedExports = { unused: [], usedAtHomeAlone: [], usedByTestsAlone: [] };
  for (const { file, name } of exports) {
    const inFiles = uses.get(name) ?? new Map<string, number>();
    const others = [...inFiles.keys()].filter((other) => other !== file);
    const isUsedHere = (inFiles.get(file) ?? 0) > 1;
    const place = `${file}: ${name}`;
    if (others.length === 0) (isUsedHere ? found.usedAtHomeAlone : found.unused).push(place);
    else if (!isUsedHere && !isTest(file) && others.every(isTest)) found.usedByTestsAlone.push(place);
  }
  return found;
}
