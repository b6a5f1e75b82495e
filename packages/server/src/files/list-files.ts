import type { Git } from '../git/git.ts';
import { walkFolder } from './walk-folder.ts';

/** Paths relative to a folder, with `/`; folders end with one. */
export type FileList = { readonly paths: readonly string[]; readonly files: number; readonly truncated: boolean };

const mostFiles = 100_000;

/**
 * Every file a user may mean in a folder: what git does not ignore, or without git what is usually not ignored. In a
 * folder that is not trusted git is not asked: its configuration there can name files anywhere for it to read.
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
    // The folders above one that is known are known too.
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
