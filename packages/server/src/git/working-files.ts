import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { writeFailure } from './full-disk.ts';
import { pathIn } from './path-text.ts';

/** A file or link in the folder, byte for byte. `mode` has its type and all permission bits. */
export type WorkingFile = { readonly content: Buffer; readonly mode: number };

const kindBits = 0o170000;
const linkKind = 0o120000;
const fileKind = 0o100000;
export const isLinkMode = (mode: number): boolean => (mode & kindBits) === linkKind;

/** What exists at a path. Null if nothing does, or if a link replaced one of its folders. */
export async function readWorkingFile(folder: string, path: string): Promise<Result<WorkingFile | null>> {
  const file = pathIn(folder, path);
  if (!(await hasRealParents(folder, path))) return ok(null);
  const found = await lstat(file).catch(() => null);
  if (found === null) return ok(null);
  const { mode } = found;
  try {
    if (found.isSymbolicLink()) return ok({ content: await readlink(file, { encoding: 'buffer' }), mode });
    if (!found.isFile()) return fail('PATH_REFUSED', `"${path}" is a folder or a special file.`);
    return ok({ content: await readFile(file), mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ok(null);
    return fail('PATH_REFUSED', `"${path}" can't be read: ${reasons.get(code ?? '') ?? code ?? 'unknown reason'}.`);
  }
}

const reasons = new Map([
  ['ERR_FS_FILE_TOO_LARGE', 'it is larger than 2 GB'],
  ['EACCES', 'check its permissions'],
]);

/** Replaces or removes a file atomically, so a partial file is never visible. */
export async function writeWorkingFile(
  folder: string,
  path: string,
  file: WorkingFile | null,
  /** Where it is created before it is moved into place; next to the target by default. */
  stage?: string,
): Promise<Result<null>> {
  const target = pathIn(folder, path);
  const parent = parentOf(folder, path);
  try {
    if (file !== null) await mkdir(parent, { recursive: true });
    else if (await hasRealParents(folder, path)) await rm(target, { force: true });
  } catch (error) {
    return writeFailure(path, error);
  }
  if (file === null) return ok(null);
  if (!(await hasRealParents(folder, path))) {
    return fail('PATH_REFUSED', `A parent folder of "${path}" is a link, so nothing is written there.`);
  }
  const found = await lstat(target).catch(() => null);
  if (found?.isDirectory()) return fail('PATH_REFUSED', `"${path}" is a folder now.`);
  const temporary = Buffer.concat([
    stage === undefined ? parent : Buffer.from(stage),
    Buffer.from(`/.liminal-${randomUUID()}`),
  ]);
  try {
    if (isLinkMode(file.mode)) await symlink(file.content, temporary);
    else {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await handle.writeFile(file.content);
        await handle.chmod(file.mode & 0o7777);
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    // The staging folder is on another file system.
    if (stage !== undefined && (error as NodeJS.ErrnoException).code === 'EXDEV')
      return writeWorkingFile(folder, path, file);
    return writeFailure(path, error);
  }
  return ok(null);
}

/** The mode of a file after applying git's mode to the permission bits it already has. */
export function modeFrom(gitMode: string, present: number | null): number {
  if (gitMode === '120000') return linkKind | 0o777;
  const bits = present === null || isLinkMode(present) ? 0o644 : present & 0o777;
  const readers = (bits & 0o444) >> 2;
  return fileKind | (gitMode === '100755' ? bits | readers : bits & ~0o111);
}

/** Paths a user may name here: below the folder, and never inside `.git`. */
export const isPlainPath = (path: string): boolean =>
  path !== '' &&
  !path.startsWith('/') &&
  !path.includes('\0') &&
  !path.split('/').some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git');

const parentOf = (folder: string, path: string): Buffer =>
  path.includes('/') ? pathIn(folder, dirname(path)) : Buffer.from(folder);

async function hasRealParents(folder: string, path: string): Promise<boolean> {
  const parent = parentOf(folder, path);
  const real = await realpath(parent, { encoding: 'buffer' }).catch(() => null);
  return real?.equals(parent) ?? false;
}
