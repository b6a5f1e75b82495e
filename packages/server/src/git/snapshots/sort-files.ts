import { constants, type Stats } from 'node:fs';
import { access, lstat, realpath } from 'node:fs/promises';
import type { NotKeptFile } from '@liminal/contracts';
import { pathText } from '../path-text.ts';

export type SnapshotLimits = {
  readonly untrackedBytes: number;
  readonly trackedBytes: number;
  readonly totalBytes: number;
};
const megabyte = 1024 * 1024;
export const usualSnapshotLimits: SnapshotLimits = {
  untrackedBytes: 10 * megabyte,
  trackedBytes: 50 * megabyte,
  totalBytes: 200 * megabyte,
};

export type Listed = { readonly path: Buffer; readonly isTracked: boolean };

export type Sorted = {
  /** To add, or to remove if they are gone by then. */
  readonly there: Buffer[];
  /** Nothing exists there any more. */
  readonly gone: Buffer[];
  /** Something else exists there: it is behind a link, or is now a folder. */
  readonly covered: Buffer[];
  readonly notKept: NotKeptFile[];
  /** The permission bits of existing files. */
  readonly modes: Map<string, number>;
  bytes: number;
};

type Look =
  | { readonly kind: 'gone' | 'covered' | 'module' | 'special' | 'unreadable' | 'link' }
  | { readonly kind: 'file'; readonly found: Stats };

const sliceSize = 64;

/** Checks each listed file before git does. Files that git couldn't or shouldn't add are named instead. */
export async function sortFiles(root: string, listed: readonly Listed[], limits: SnapshotLimits): Promise<Sorted> {
  const sorted: Sorted = { there: [], gone: [], covered: [], notKept: [], modes: new Map(), bytes: 0 };
  const look = createLook(root);
  for (let start = 0; start < listed.length; start += sliceSize) {
    const slice = listed.slice(start, start + sliceSize);
    const looks = await Promise.all(slice.map(look));
    for (const [place, each] of slice.entries()) {
      const seen = looks[place];
      if (seen) sortOne(sorted, each, seen, limits);
    }
  }
  return sorted;
}

function sortOne(sorted: Sorted, { path, isTracked }: Listed, look: Look, limits: SnapshotLimits): void {
  const leaveOut = (reason: string): void => void sorted.notKept.push({ path: pathText(path), reason });
  switch (look.kind) {
    case 'gone':
      return void sorted.gone.push(path);
    case 'covered':
      return void sorted.covered.push(path);
    case 'link':
    case 'module':
      return void sorted.there.push(path);
    case 'special':
      return leaveOut('Not a regular file.');
    case 'unreadable':
      return leaveOut('The file cannot be read. Check its permissions.');
    case 'file': {
      const { size, mode } = look.found;
      const limit = isTracked ? limits.trackedBytes : limits.untrackedBytes;
      if (size > limit) return leaveOut(`Too large: ${sizeText(size)}. The limit is ${sizeText(limit)}.`);
      if (sorted.bytes + size > limits.totalBytes)
        return leaveOut(`Too much changed at once (over ${sizeText(limits.totalBytes)}).`);
      sorted.bytes += size;
      sorted.modes.set(pathText(path), mode & 0o7777);
      sorted.there.push(path);
    }
  }
}

type Folder = 'real' | 'link' | 'gone';

function createLook(root: string) {
  const folders = new Map<string, Promise<Folder>>();
  const whole = (path: Buffer) =>
    path.length === 0 ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), path]);
  const find = async (folder: Buffer): Promise<Folder> => {
    const target = whole(folder);
    const real = await realpath(target, { encoding: 'buffer' }).catch(() => null);
    if (real !== null) return real.equals(target) ? 'real' : 'link';
    // A dangling link is a link too, and git refuses to look behind it.
    if ((await lstat(target).catch(() => null))?.isSymbolicLink() === true || folder.length === 0) return 'link';
    return (await folderOf(folder)) === 'link' ? 'link' : 'gone';
  };
  /** The folder of a path. Nothing behind a folder that became a link is ours. */
  const folderOf = (path: Buffer): Promise<Folder> => {
    const folder = path.subarray(0, Math.max(0, path.lastIndexOf(0x2f)));
    const key = folder.toString('latin1');
    const found = folders.get(key) ?? find(folder);
    folders.set(key, found);
    return found;
  };
  return async ({ path, isTracked }: Listed): Promise<Look> => {
    const folder = await folderOf(path);
    if (folder !== 'real') return { kind: folder === 'gone' ? 'gone' : 'covered' };
    const file = whole(path);
    const found = await lstat(file).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) return { kind: found.code === 'ENOENT' ? 'gone' : 'covered' };
    if (found.isSymbolicLink()) return { kind: 'link' };
    if (found.isDirectory()) {
      // A submodule, or a file that became a folder.
      return { kind: isTracked && (await isThere(Buffer.concat([file, Buffer.from('/.git')]))) ? 'module' : 'covered' };
    }
    if (!found.isFile()) return { kind: 'special' };
    return (await isReadable(file)) ? { kind: 'file', found } : { kind: 'unreadable' };
  };
}

const sizeText = (bytes: number): string =>
  bytes >= 1024 * megabyte ? `${(bytes / 1024 / megabyte).toFixed(1)} GB` : `${Math.ceil(bytes / megabyte)} MB`;

const isReadable = (file: Buffer): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
const isThere = (path: Buffer): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
