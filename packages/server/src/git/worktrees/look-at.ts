import { lstatSync, type PathLike, type Stats } from 'node:fs';
import { hasEscapes, pathIn } from '../path-text.ts';

const sliceSize = 500;

/**
 * Calls back for each path below a root with what is there, or undefined if nothing is. As for git, nothing is behind a
 * folder that became a link. Ten thousand synchronous calls
 * take a fraction of the time of as many promises. Between slices, other work can run.
 */
export async function lookAt(
  root: string,
  paths: Iterable<string>,
  onFound: (path: string, found: Stats | undefined) => void,
): Promise<void> {
  const look = (path: string): Stats | undefined => found(hasEscapes(path) ? pathIn(root, path) : `${root}/${path}`);
  const realFolders = new Map<string, boolean>();
  const isInRealFolder = (path: string): boolean => {
    const end = path.lastIndexOf('/');
    if (end < 0) return true;
    const folder = path.slice(0, end);
    const known = realFolders.get(folder);
    if (known !== undefined) return known;
    const isReal = isInRealFolder(folder) && look(folder)?.isDirectory() === true;
    realFolders.set(folder, isReal);
    return isReal;
  };
  let left = sliceSize;
  for (const path of paths) {
    onFound(path, isInRealFolder(path) ? look(path) : undefined);
    left -= 1;
    if (left > 0) continue;
    left = sliceSize;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function found(path: PathLike): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A file took the place of its folder, or the folder can't be read.
    return undefined;
  }
}
