import type { Git } from '../git/git.ts';
import { walkFolder } from './walk-folder.ts';

/** Paths relative to a folder, with `/`. Folders end with a slash. */
export type FileList = { readonly paths: readonly string[]; readonly files: number; readonly truncated: boolean };

const mostFiles = 100_000;

/**
 * Lists the files of a folder that git doesn't ignore. Without git, it leaves out commonly ignored folders. Git never
 * runs in an untrusted folder, because the folder's git configuration can make it read any file.
 */
export async function listFiles(folder: string, git: Pick<Git, 'listFiles'> | null): Promise<FileList> {
  const listed = (await git?.listFiles(folder)) ?? null;
  const { files, truncated } = listed
    ? { files: listed.slice(0, mostFiles), truncated: listed.length > mostFiles }
    : await walkFolder(folder, { mostFiles, mostMs: 5_000 });
  return { paths: [...foldersOf(files), ...files], files: files.length, truncated };
}

function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    // If a folder is known, its parents are known too.
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
