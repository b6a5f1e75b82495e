import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type FoldersReply, type Result } from '@liminal/contracts';
import { checkFolder } from '../projects/check-folder.ts';

export type FolderQuery = { readonly path?: string | undefined; readonly prefix?: string | undefined };
export type FolderListing = Pick<FoldersReply, 'path' | 'parent' | 'folders' | 'truncated'>;

const mostFolders = 1_000;

/** The subfolders of a folder, by name, hidden ones last. Explains why one can't be read. */
export async function listFolders(
  { path, prefix = '' }: FolderQuery,
  home: string,
): Promise<Result<FolderListing, 'PROJECT_DIR_INVALID'>> {
  const checked = await checkFolder(fromHome(path ?? '~', home));
  if (!checked.ok) return checked;
  const folder = checked.value;
  const start = prefix.toLowerCase();
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!entries) return fail('PROJECT_DIR_INVALID', `Can't read the folder "${folder}". Check its permissions.`);
  const fitting = entries.filter(
    (entry) => entry.name.toLowerCase().startsWith(start) && (entry.isDirectory() || entry.isSymbolicLink()),
  );
  const folders: { name: string; hidden: boolean }[] = [];
  for (const entry of fitting.toSorted(byName)) {
    if (folders.length > mostFolders) break;
    // Show a link to a folder as a folder. Adding it uses its real path.
    if (entry.isSymbolicLink() && !(await leadsToFolder(join(folder, entry.name)))) continue;
    folders.push({ name: entry.name, hidden: isHidden(entry.name) });
  }
  const parent = dirname(folder);
  return ok({
    path: folder,
    parent: parent === folder ? null : parent,
    folders: folders.slice(0, mostFolders),
    truncated: folders.length > mostFolders,
  });
}

/** Those of these folders that still exist. */
export async function stillThere(folders: readonly string[]): Promise<string[]> {
  const there = await Promise.all(folders.map(leadsToFolder));
  return folders.filter((_, index) => there[index]);
}

const fromHome = (path: string, home: string): string =>
  path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;

const isHidden = (name: string): boolean => name.startsWith('.');

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  Number(isHidden(a.name)) - Number(isHidden(b.name)) ||
  a.name.localeCompare(b.name, 'en', { sensitivity: 'base', numeric: true });

const leadsToFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
