import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, type FailureCode, type Result } from '@liminal/contracts';
import { canWalk, OutsideFolder, openBelow } from '../../projects/open-below.ts';

/** An open folder. Paths are relative to its handle, so nothing above it can be swapped meanwhile. */
export type OpenFolder = {
  at(name: string): string;
  /** Syncs renames in this folder to disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
};

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** `way` leads from `root`, a real path, to the folder. `makes` creates missing folders on the way. */
export async function openFolder(root: string, way: string, { makes = false } = {}): Promise<OpenFolder> {
  const handle = await openHandle(root, way, makes);
  return {
    at: (name) => (canWalk ? `/proc/self/fd/${handle.fd}/${name}` : join(root, way, name)),
    // Some file systems refuse to sync a folder. The rename is then as safe as they make it.
    sync: () => handle.sync().catch(() => {}),
    close: () => handle.close(),
  };
}

async function openHandle(root: string, way: string, makes: boolean): Promise<FileHandle> {
  if (way === '' || way === '.') return open(root, folderFlags);
  const path = join(root, way);
  const opened = (): Promise<FileHandle> =>
    canWalk ? openBelow(root, path, { flags: folderFlags, makesFolders: false }) : open(path, folderFlags);
  try {
    return await opened();
  } catch (error) {
    if (!makes || codeOf(error) !== 'ENOENT') throw error;
  }
  const parent = await openFolder(root, dirname(way), { makes });
  try {
    await mkdir(parent.at(basename(way))).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await parent.close();
  }
  return opened();
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'EIO';

const fullDiskCodes = ['ENOSPC', 'EFBIG', 'EDQUOT'];
export const isDiskFull = (error: unknown): boolean => fullDiskCodes.includes(codeOf(error));

type FileFailureCode = Extract<FailureCode, 'FILE_NOT_FOUND' | 'PATH_REFUSED' | 'NOT_SUPPORTED' | 'INTERNAL_ERROR'>;

/** Turns a system error into a message for the user. */
export function fileFailure(error: unknown, path: string): Result<never, FileFailureCode> {
  if (error instanceof OutsideFolder) return fail('PATH_REFUSED', `"${path}" links outside this project.`);
  if (isDiskFull(error))
    return fail('INTERNAL_ERROR', 'The disk is full. Nothing was changed. Free some space, then try again.');
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fail('FILE_NOT_FOUND', `This project has no file "${path}".`);
    case 'ELOOP':
      return fail('PATH_REFUSED', `"${path}" is a symbolic link that can't be followed here.`);
    case 'EACCES':
    case 'EPERM':
      return fail('PATH_REFUSED', `You don't have permission for "${path}". Check its permissions.`);
    case 'EROFS':
      return fail('PATH_REFUSED', `"${path}" is on a read-only disk.`);
    case 'EISDIR':
      return fail('NOT_SUPPORTED', `"${path}" is a folder.`);
    case 'ENAMETOOLONG':
      return fail('PATH_REFUSED', `The name "${path}" is too long.`);
    default:
      return fail('INTERNAL_ERROR', `"${path}" can't be used (${code}). Nothing was changed.`);
  }
}
