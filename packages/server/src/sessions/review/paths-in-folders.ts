import { relative, resolve } from 'node:path';
import { isPlainPath } from '../../git/working-files.ts';

/** A file an agent names, as a path of the first folder it lies in; nothing where it lies elsewhere. */
export const pathsIn = (folders: readonly string[], file: string): string[] =>
  folders
    .map((folder) => relative(folder, resolve(folder, file)))
    .filter(isPlainPath)
    .slice(0, 1);
