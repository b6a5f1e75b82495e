import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A ref is one short line; whatever is longer is none. */
const longest = 4096;

/**
 * The branch that is checked out in a folder, read from git's own files: cheap enough to ask for every project whenever
 * a person looks at the list, as no process is started. Undefined without a repository and on a detached HEAD.
 */
export async function checkedOutBranch(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const gitDir = await gitDirOf(at);
    if (gitDir !== undefined) {
      const head = await readLine(join(gitDir, 'HEAD'));
      // With the reftable format HEAD leads to this name, and the branch is elsewhere.
      return /^ref: refs\/heads\/(?!\.invalid$)(.+)$/.exec(head ?? '')?.[1];
    }
    if (dirname(at) === at) return undefined;
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
