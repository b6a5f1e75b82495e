import { link, lstat, rename, unlink } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { findForChange } from './find-inside.ts';
import { fileFailure, openFolder } from './open-folder.ts';

/** Renames or moves a file, folder or link, without overwriting anything. A link moves without its target. */
export async function moveFile(folder: string, from: string, to: string): Promise<Result<Record<string, never>>> {
  const [old, wanted] = [await findForChange(folder, from, 'kept'), await findForChange(folder, to, 'kept')];
  if (!old.ok) return old;
  if (!wanted.ok) return wanted;
  if (!old.value.isThere) return fail('FILE_NOT_FOUND', `This project has no file "${from}".`);
  const { root } = old.value;
  const ways = [old.value.way, wanted.value.way] as const;
  if (ways[0] === ways[1]) return ok({});
  if (ways[1].startsWith(`${ways[0]}${sep}`)) return fail('PATH_REFUSED', `"${from}" can't be moved into itself.`);
  const taken = fail('FILE_CHANGED', `"${to}" already exists. Choose another name.`);
  if (wanted.value.isThere) return taken;
  try {
    const source = await openFolder(root, dirname(ways[0]));
    try {
      const target = await openFolder(root, dirname(ways[1]), { makes: true });
      try {
        const [here, there] = [source.at(basename(ways[0])), target.at(basename(ways[1]))];
        if ((await lstat(there).catch(() => null)) !== null) return taken;
        const isFile = (await lstat(here)).isFile();
        // A hard link never replaces a file that someone just created. Folders and symbolic links can only be renamed,
        // and so can files on some file systems.
        const linked = isFile ? await tryLink(here, there) : 'impossible';
        if (linked === 'taken') return taken;
        await (linked === 'linked' ? unlink(here) : rename(here, there));
        await Promise.all([source.sync(), target.sync()]);
        return ok({});
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } catch (error) {
    return fileFailure(error, from);
  }
}

const tryLink = (from: string, to: string): Promise<'linked' | 'taken' | 'impossible'> =>
  link(from, to).then(
    () => 'linked',
    ({ code }: NodeJS.ErrnoException) => (code === 'EEXIST' ? 'taken' : 'impossible'),
  );
