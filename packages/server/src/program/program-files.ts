import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The program runs as it is written, from src, or built, from dist: both folders are side by side. Built files are
// flat in its folder, while this file is one folder deep in src.
const isBuilt = !import.meta.url.endsWith('.ts');
const sourceFolder = new URL(isBuilt ? './' : '../', import.meta.url);

/** The folder with package.json, packages and node_modules in it; a slash at its end. */
export const programFolder = fileURLToPath(new URL('../../../', sourceFolder));

/** A module that runs in a thread or process of its own; `path` is its place in src without its ending. */
export const ownEntry = (path: string): string =>
  fileURLToPath(new URL(`./${path}.${isBuilt ? 'js' : 'ts'}`, sourceFolder));

/** The version in package.json. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(`${programFolder}package.json`, 'utf8')) as { version: string }).version;
}
