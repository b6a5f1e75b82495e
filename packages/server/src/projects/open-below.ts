import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

export type OpenOptions = { readonly flags: number; readonly makesFolders: boolean };

/** The path leads out of the folder. */
export class OutsideFolder extends Error {
  override readonly name = 'OutsideFolder';
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
// Non-blocking, because opening a pipe without a writer would wait.
const fileFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const mostLinks = 40;

/** Whether a path can start at an open folder, as on Linux. Then nothing on the way can be swapped meanwhile. */
export const canWalk = existsSync('/proc/self/fd');

/**
 * Opens a file below a folder step by step, each from the open folder before it. No step follows a link by itself:
 * links are read, and their targets are walked in the same way. So nothing outside is ever opened or created, whatever
 * is swapped meanwhile. `root` must be a real path.
 */
export async function openBelow(root: string, path: string, { flags, makesFolders }: OpenOptions): Promise<FileHandle> {
  const folders = [await open(root, folderFlags)];
  try {
    let steps = await stepsInside(root, path, realAsFarAsThere);
    for (let links = 0; ;) {
      const name = steps[0];
      const folder = folders.at(-1);
      if (name === undefined || !folder) throw errno('EISDIR');
      const rest = steps.slice(1);
      if (name === '..') {
        if (folders.length === 1) throw new OutsideFolder();
        await folders.pop()?.close();
        steps = rest;
        continue;
      }
      const place = `/proc/self/fd/${folder.fd}/${name}`;
      const isLast = rest.length === 0;
      const found = await open(place, isLast ? flags | fileFlags : folderFlags, 0o666).catch(codeOf);
      if (typeof found === 'object') {
        if (isLast) return found;
        folders.push(found);
        steps = rest;
        continue;
      }
      if (found === 'ENOENT' && makesFolders && !isLast) {
        await mkdir(place).catch(ifThere);
        continue;
      }
      const target =
        found === 'ELOOP' || found === 'ENOTDIR' ? await readlink(place).catch(() => undefined) : undefined;
      if (target === undefined) throw errno(found);
      if ((links += 1) > mostLinks) throw errno('ELOOP');
      if (isAbsolute(target)) await closeAll(folders.splice(1));
      steps = [...(isAbsolute(target) ? await stepsInside(root, target, realpath) : stepsOf(target)), ...rest];
    }
  } finally {
    await closeAll(folders);
  }
}

/** The path segments from the root. If the path starts at the root, links in it are left to the walk. */
async function stepsInside(root: string, path: string, realOf: (path: string) => Promise<string>): Promise<string[]> {
  const direct = relative(root, path);
  if (!leadsOut(direct)) return stepsOf(direct);
  // The path may name the project through links.
  const real = relative(root, await realOf(path));
  if (leadsOut(real)) throw new OutsideFolder();
  return stepsOf(real);
}

async function realAsFarAsThere(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realAsFarAsThere(dirname(path)), basename(path));
  }
}

const leadsOut = (way: string): boolean => way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
const stepsOf = (way: string): string[] => way.split(sep).filter((name) => name !== '' && name !== '.');
const closeAll = async (handles: readonly FileHandle[]): Promise<void> => {
  await Promise.all(handles.map((handle) => handle.close()));
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'EIO';
const errno = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
function ifThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}
