import { access, lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import { pathText } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

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
