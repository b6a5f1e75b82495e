import { access, lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import { pathText } from '../path-text.ts';
import { readState, type Operation, type Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { hasHiddenChanges } from './hidden-changes.ts';
import { wholeFolders } from './included-files.ts';

/** What would be lost with a worktree's folder or its branch. */
export type UnsavedWork = {
  /** Staged, unstaged or untracked changes, ones that git hides, or an unfinished operation. */
  readonly dirty: boolean;
  /** Commits that no other branch and no remote has. */
  readonly ahead: number;
  readonly head: string | null;
  readonly branch: string | null;
  readonly operation: Operation | null;
};

/** Fails if a check fails: a removal must not mistake that for "nothing to lose". */
export async function unsavedWork(runner: GitRunner, repository: Repository): Promise<Result<UnsavedWork>> {
  const state = await readState(runner, repository);
  if (!state.ok) return state;
  const { head, branch, operation } = state.value;
  let entries = 0;
  const listed = await expectGit(runner, {
    cwd: repository.root,
    args: ['status', '--porcelain=v2', '-z', '--untracked-files=normal', '--ignore-submodules=none', '--no-renames'],
    onField: () => {
      entries += 1;
      return false;
    },
  });
  if (!listed.ok) return listed;
  const ahead = head === null ? ok(0) : await commitsOnlyHere(runner, repository, head, branch);
  if (!ahead.ok) return ahead;
  const isDirty = entries > 0 || operation !== null;
  const hidden = isDirty ? ok(false) : await hasHiddenChanges(runner, repository);
  if (!hidden.ok) return hidden;
  return ok({ dirty: isDirty || hidden.value, ahead: ahead.value, head, branch, operation });
}

export async function commitsOnlyHere(
  runner: GitRunner,
  { root }: Repository,
  head: string,
  branch: string | null,
): Promise<Result<number>> {
  // Without `refs/heads/`: with it, `--exclude` excludes nothing from `--branches`.
  const own = branch === null ? [] : [`--exclude=${branch}`];
  const args = ['rev-list', '--count', head, '--not', ...own, '--branches', '--remotes', '--tags'];
  const ran = await expectGit(runner, { cwd: root, args });
  return ran.ok ? ok(Number(ran.value.stdout.toString().trim())) : ran;
}

/** An ignored file, or a folder that is ignored as a whole. */
export type IgnoredEntry = { readonly path: Buffer; readonly isFolder: boolean; readonly size: number };

export async function ignoredEntries(runner: GitRunner, { root }: Repository): Promise<Result<IgnoredEntry[]>> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const ran = await expectGit(runner, { cwd: root, args });
  if (!ran.ok) return ran;
  const listed = fieldsOf(ran.value.stdout).map((path) => path.toString('latin1'));
  const whole = wholeFolders(listed);
  const files = listed.filter((path) => !path.endsWith('/'));
  const entries = [
    ...whole.map((path) => ({ path, isFolder: true })),
    ...files.map((path) => ({ path, isFolder: false })),
  ];
  return ok(
    await Promise.all(
      entries.map(async ({ path, isFolder }) => {
        const bytes = Buffer.from(isFolder ? path.slice(0, -1) : path, 'latin1');
        return { path: bytes, isFolder, size: await sizeOf(Buffer.concat([Buffer.from(`${root}/`), bytes])) };
      }),
    ),
  );
}

/** The size of a file, or of everything in a folder. Links count as themselves. */
export async function sizeOf(path: Buffer): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory()) return found?.size ?? 0;
  const names = await readdir(path, { encoding: 'buffer' }).catch(() => []);
  let total = 0;
  for (const name of names) total += await sizeOf(Buffer.concat([path, Buffer.from('/'), name]));
  return total;
}

/** What a worktree's submodules have that would be lost with it; null if they have nothing. */
export async function submoduleWork(runner: GitRunner, repository: Repository): Promise<Result<string | null>> {
  const filled = await filledSubmodules(runner, repository);
  if (!filled.ok) return filled;
  if (filled.value[0] !== undefined) return ok(`the submodule "${filled.value[0]}" has files of its own here`);
  const modules = join(repository.gitDir, 'modules');
  for (const gitDir of await gitDirsBelow(modules)) {
    const args = [`--git-dir=${gitDir}`, 'rev-list', '--max-count=1', '--all', 'HEAD', '--not', '--remotes'];
    const ran = await expectGit(runner, { cwd: repository.root, args });
    if (!ran.ok) return ran;
    if (ran.value.stdout.length > 0)
      return ok(`the submodule "${relative(modules, gitDir)}" has commits that are nowhere else`);
  }
  return ok(null);
}

/** Submodules that have files here. The outer repository can't keep what is in them. */
async function filledSubmodules(runner: GitRunner, { root }: Repository): Promise<Result<string[]>> {
  const paths: string[] = [];
  const onField = (field: Buffer): void => {
    if (field.subarray(0, 6).toString('latin1') === '160000')
      paths.push(pathText(field.subarray(field.indexOf(9) + 1)));
  };
  const ran = await expectGit(runner, { cwd: root, args: ['ls-files', '--stage', '-z'], onField });
  if (!ran.ok) return ran;
  const filled = await Promise.all(paths.map((path) => isThere(lstat(join(root, path, '.git')))));
  return ok(paths.filter((_, place) => filled[place]));
}

/** Git keeps a submodule's repository under its name, which may contain slashes, even after its files are gone. */
async function gitDirsBelow(folder: string): Promise<string[]> {
  if (await isThere(access(join(folder, 'HEAD')))) return [folder];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.filter((entry) => entry.isDirectory()).map(({ name }) => gitDirsBelow(join(folder, name)));
  return (await Promise.all(found)).flat();
}

const isThere = (found: Promise<unknown>): Promise<boolean> =>
  found.then(
    () => true,
    () => false,
  );

/** Whether a commit has any submodules. */
export async function hasSubmodules(runner: GitRunner, { root }: Repository, commit: string): Promise<boolean> {
  const ran = await runner({ cwd: root, args: ['cat-file', '-e', `${commit}:.gitmodules`] });
  return ran.ok && ran.value.code === 0;
}
