import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { isBelow } from '../is-in-folder.ts';

/** A location in a folder: `way` leads there from `root` without links. It need not exist. */
export type Inside = { readonly root: string; readonly way: string; readonly isThere: boolean };

type Found = Result<Inside, 'PATH_REFUSED' | 'PROJECT_DIR_INVALID'>;
/** Whether a link at the end of a path is followed too. Links before the end always are. */
type LastLink = 'followed' | 'kept';

/**
 * Resolves a path, following links. Refuses one outside the folder, with the same message whether or not something
 * exists there.
 */
export async function findInside(folder: string, path: string, lastLink: LastLink = 'followed'): Promise<Found> {
  if (path.includes('\0')) return fail('PATH_REFUSED', "A path can't contain a null character.");
  const root = await realpath(folder).catch(() => null);
  if (root === null) return fail('PROJECT_DIR_INVALID', `The folder ${folder} is gone.`);
  const whole = resolve(root, path);
  const real = await (lastLink === 'followed' ? realpath(whole) : realEntry(whole)).catch(() => null);
  const target = real ?? (await realAsFarAsThere(whole));
  if (!isBelow(root, target)) return fail('PATH_REFUSED', `"${path}" is outside this project.`);
  return ok({ root, way: relative(root, target), isThere: real !== null });
}

/** The same for a path that will be changed. Also refuses the folder itself and git's own files. */
export async function findForChange(folder: string, path: string, lastLink: LastLink): Promise<Found> {
  const found = await findInside(folder, path, lastLink);
  if (!found.ok) return found;
  if (found.value.way === '') return fail('PATH_REFUSED', "The project's folder itself can't be changed here.");
  const isGits = [found.value.way, path].some((way) => way.split(/[\\/]/).some((name) => /^\.git$/i.test(name)));
  return isGits ? fail('PATH_REFUSED', "Git's own files can't be changed here.") : found;
}

async function realEntry(path: string): Promise<string> {
  await lstat(path);
  return join(await realpath(dirname(path)), basename(path));
}

async function realAsFarAsThere(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const real = await realpath(parent).catch(() => null);
  return join(real ?? (await realAsFarAsThere(parent)), basename(path));
}

/** The form of paths in replies. */
export const slashed = (way: string): string => way.split(sep).join('/');
