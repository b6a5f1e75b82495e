import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const farthest = 40;

/**
 * The branch a folder is on, read from the file that says so: no git is started, so that it may be asked of any folder at
 * any time. Null where there is none.
 */
export async function headBranch(folder: string): Promise<string | null> {
  let at = folder;
  for (let step = 0; step < farthest; step += 1) {
    const head = await readHead(join(at, '.git'));
    if (head !== null) return /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1] ?? null;
    const parent = dirname(at);
    if (parent === at) return null;
    at = parent;
  }
  return null;
}

/** In the main working tree `.git` is a folder; in every other one it is a file that names the folder. */
async function readHead(dotGit: string): Promise<string | null> {
  const text = (path: string) => readFile(path, 'utf8').catch(() => null);
  const inFolder = await text(join(dotGit, 'HEAD'));
  if (inFolder !== null) return inFolder;
  const named = /^gitdir: (.+)$/.exec((await text(dotGit))?.trim() ?? '')?.[1];
  return named === undefined ? null : text(join(resolve(dirname(dotGit), named), 'HEAD'));
}
