import { relative, resolve } from 'node:path';
import { isPlainPath } from '../../git/working-files.ts';

/** A file an agent names, relative to the first of the folders that contains it; empty if none does. */
export const pathsIn = (folders: readonly string[], file: string): string[] =>
  folders
    .map((folder) => relative(folder, resolve(folder, file)))
    .filter(isPlainPath)
    .slice(0, 1);
