import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A ref is one short line; whatever is longer is none. */
const longest = 4096;

/**
 * The branch a folder is on, read from git's own files: no git is started, so it may be asked of any folder at any
 * time. Null without a repository and on a detached HEAD.
 */
export async function headBranch(folder: string): Promise<string | null> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const gitDir = await gitDirOf(at);
    if (gitDir !== undefined) {
      const head = await readLine(join(gitDir, 'HEAD'));
      // With the reftable format HEAD leads to this name, and the branch is elsewhere.
      return /^ref: refs\/heads\/(?!\.invalid$)(.+)$/.exec(head ?? '')?.[1] ?? null;
    }
    if (dirname(at) === at) return null;
  }
}

/** `.git` is a directory, or in a worktree and a submodule a file that says where the directory is. */
async function gitDirOf(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  const target = found?.isFile() ? /^gitdir: (.+)$/.exec((await readLine(path)) ?? '')?.[1] : undefined;
  return target === undefined ? undefined : resolve(folder, target);
}

async function readLine(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > longest) return undefined;
  return readFile(path, 'utf8').then(
    (text) => text.split('\n', 1)[0]?.trim(),
    () => undefined,
  );
}
