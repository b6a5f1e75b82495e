import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The program runs from src or, built, from dist, which are sibling folders. Built files are flat in dist, while this
// file is one folder deep in src.
const isBuilt = !import.meta.url.endsWith('.ts');
const sourceFolder = new URL(isBuilt ? './' : '../', import.meta.url);

/** The folder with package.json, packages and node_modules, with a trailing slash. */
export const programFolder = fileURLToPath(new URL('../../../', sourceFolder));

/** A module that runs in its own thread or process. `path` is its path in src without the extension. */
export const ownEntry = (path: string): string =>
  fileURLToPath(new URL(`./${path}.${isBuilt ? 'js' : 'ts'}`, sourceFolder));

/** The version in package.json. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(`${programFolder}package.json`, 'utf8')) as { version: string }).version;
}
