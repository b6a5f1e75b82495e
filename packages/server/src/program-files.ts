import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The program runs as it is written, from src, or built, from dist: both folders lie side by side, and what is built
// lies flat in its folder, so this finds the same places from either.
const isBuilt = !import.meta.url.endsWith('.ts');

/** The folder with package.json, packages and node_modules in it; a slash at its end. */
export const programFolder = fileURLToPath(new URL('../../../', import.meta.url));

/** A module that runs in a thread or process of its own; `path` is its place in src without its ending. */
export const ownEntry = (path: string): string =>
  fileURLToPath(new URL(`./${path}.${isBuilt ? 'js' : 'ts'}`, import.meta.url));

/** The version in package.json. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(`${programFolder}package.json`, 'utf8')) as { version: string }).version;
}
