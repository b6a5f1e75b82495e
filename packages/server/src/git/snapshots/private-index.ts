import { createHash } from 'node:crypto';
import { copyFile, lstat, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { temporaryPath } from '../leftovers.ts';

/** Our own index of a working tree, next to the user's, which we never write. It caches the state of files. */
export const privateIndexOf = ({ gitDir, prefix }: Repository): string => {
  const name = prefix === '' ? 'index' : `index-${createHash('sha256').update(prefix).digest('hex').slice(0, 16)}`;
  return join(gitDir, 'liminal', name);
};

/**
 * Creates the private index from the user's. The copy keeps the original's time: git compares it to decide which files
 * to read again, and would otherwise miss an edit of the same length within the second of the last `git add`. Returns
 * the paths in it.
 */
export async function seedPrivateIndex(runner: GitRunner, repository: Repository): Promise<Result<Buffer[]>> {
  const target = privateIndexOf(repository);
  const source = join(repository.gitDir, 'index');
  await mkdir(join(repository.gitDir, 'liminal'), { recursive: true });
  await rm(target, { force: true });
  // In the git directory, because git looks there for the shared part of a split index.
  const copy = temporaryPath(repository.gitDir, 'seed');
  const before = await stat(source).catch(() => null);
  if (before === null) return ok([]);
  await copyFile(source, copy);
  await utimes(copy, before.atime, before.mtime);
  await rename(copy, target);
  return clearFlags(runner, repository, target);
}

/** Clears marks that hide edits (assume-unchanged, skip-worktree). Files that a sparse checkout left out stay out. */
async function clearFlags(runner: GitRunner, { root }: Repository, index: string): Promise<Result<Buffer[]>> {
  const env = { GIT_INDEX_FILE: index };
  const listed = await expectGit(runner, { cwd: root, env, args: ['ls-files', '-v', '-z'] });
  if (!listed.ok) return listed;
  const fields = fieldsOf(listed.value.stdout);
  const flagged = fields.flatMap((field) => {
    const tag = String.fromCharCode(field[0] ?? 0);
    return tag === 'S' || tag !== tag.toUpperCase() ? [{ tag, path: field.subarray(2) }] : [];
  });
  const assumed = flagged.filter(({ tag }) => tag !== tag.toUpperCase()).map(({ path }) => path);
  const skipped = flagged.filter(({ tag }) => tag.toUpperCase() === 'S').map(({ path }) => path);
  const there = await Promise.all(skipped.map((path) => isThere(Buffer.concat([Buffer.from(`${root}/`), path]))));
  const steps = [
    { flag: '--no-assume-unchanged', paths: assumed },
    { flag: '--no-skip-worktree', paths: skipped.filter((_, place) => there[place]) },
  ];
  for (const { flag, paths } of steps) {
    if (paths.length === 0) continue;
    const args = ['update-index', flag, '-z', '--stdin'];
    const cleared = await expectGit(runner, { cwd: root, env, writes: true, args, input: nulList(paths) });
    if (!cleared.ok) return cleared;
  }
  return ok(fields.map((field) => field.subarray(2)));
}

/** Paths in the form git reads from a pipe. */
export const nulList = (paths: readonly Buffer[]): Buffer =>
  Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]));

const isThere = (path: Buffer): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
