import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A ref is one short line. Anything longer isn't one. */
const longest = 4096;

/**
 * The current branch of a folder, read from git's own files. Doesn't start git, so it is safe for any folder at any
 * time. Null without a repository or on a detached HEAD.
 */
export async function headBranch(folder: string): Promise<string | null> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const gitDir = await gitDirOf(at);
    if (gitDir !== undefined) {
      const head = await readLine(join(gitDir, 'HEAD'));
      // With the reftable format, HEAD contains this name, and the branch is elsewhere.
      return /^ref: refs\/heads\/(?!\.invalid$)(.+)$/.exec(head ?? '')?.[1] ?? null;
    }
    if (dirname(at) === at) return null;
  }
}

/** `.git` is a directory, or in a worktree or submodule a file with the path of the directory. */
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
