import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Is this a file or folder that really lies in `folder`, itself and not through a link that leads elsewhere? */
export async function isInFolder(folder: string, path: string): Promise<boolean> {
  const whole = join(folder, path);
  try {
    if ((await lstat(whole)).isSymbolicLink()) return false;
    return isBelow(folder, await realpath(whole));
  } catch {
    return false;
  }
}

/** By path segments: `/work/app-2` does not lie in `/work/app`. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
