import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Result } from '@liminal/contracts';
import { findRepository, type OpenFailure, type Repository } from '../repository.ts';
import type { GitRunner } from '../run-git.ts';

type Known = { readonly repository: Repository; readonly print: string };
export type RepositoryFinder = (dir: string) => Promise<Result<Repository, OpenFailure>>;

const mostKnown = 64;

/**
 * Finds repositories and caches the result. Asks git again when something its answer depends on has changed: the owner
 * of the files, where `.git` points, the repository's settings, or a nearer repository.
 */
export function createRepositoryFinder(runner: GitRunner): RepositoryFinder {
  const known = new Map<string, Known>();
  return async (dir) => {
    const folder = await realpath(dir).catch(() => null);
    const before = folder === null ? undefined : known.get(folder);
    if (before && (await printOf(before.repository)) === before.print) return { ok: true, value: before.repository };
    const found = await findRepository(runner, dir);
    if (folder === null) return found;
    known.delete(folder);
    if (!found.ok) return found;
    const print = await printOf(found.value);
    if (print === null) return found;
    known.set(folder, { repository: found.value, print });
    if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
    return found;
  };
}

/** Everything git's decision depends on, as text. Null if only git can tell. */
async function printOf({ folder, root, gitDir, commonDir }: Repository): Promise<string | null> {
  try {
    const between: string[] = [];
    for (let at = folder; at !== root; at = dirname(at)) between.push(at);
    const [owners, link, common, settings, own, nearer] = await Promise.all([
      Promise.all([root, join(root, '.git'), gitDir, join(gitDir, 'HEAD')].map(ownerOf)),
      textOf(join(root, '.git')),
      textOf(join(gitDir, 'commondir')),
      textOf(join(commonDir, 'config')),
      textOf(join(gitDir, 'config.worktree')),
      Promise.all(between.flatMap((at) => [isThere(join(at, '.git')), isThere(join(at, 'HEAD'))])),
    ]);
    // For another user's files, git checks settings that may be anywhere.
    const isOurs = owners.every(({ uid }) => uid === process.geteuid?.());
    if (!isOurs || nearer.includes(true)) return null;
    return JSON.stringify([owners.slice(0, 3), link, common, settings, own]);
  } catch {
    return null;
  }
}

const ownerOf = async (path: string) => {
  const { uid, ino, dev } = await lstat(path);
  return { uid, ino, dev };
};

/** The text of a file, or null if it is missing or a folder. */
const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return null;
    throw error;
  });

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
