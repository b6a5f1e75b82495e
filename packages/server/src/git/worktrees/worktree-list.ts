import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import { pathText } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitOutput, type GitRunner } from '../run-git.ts';

/** A working tree as git lists it. The first of a list is the main one. */
export type ListedWorktree = {
  readonly root: string;
  readonly head: string | null;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  readonly isMain: boolean;
  readonly isLocked: boolean;
};

/** While git adds a worktree, one of its files is empty for a moment, and git can list none. */
const beingAdded = /failed to read (.+)\/commondir:/;
const retryMs = 20;
const mostTries = 50;

async function runList(runner: GitRunner, root: string): Promise<Result<GitOutput>> {
  const run = { cwd: root, args: ['worktree', 'list', '--porcelain', '-z'] };
  for (let tries = 1; ; tries += 1) {
    const ran = await runner(run);
    const [, half] = (ran.ok && beingAdded.exec(ran.value.stderr)) || [];
    if (half === undefined) return expectGit(async () => ran, run);
    if (tries === mostTries) return fail('GIT_FAILED', incomplete(resolve(root, half)));
    await wait(retryMs);
  }
}

const incomplete = (folder: string): string =>
  `Git can't list the worktrees: ${folder} is incomplete. If no git command is running, delete that folder, then try again.`;

export async function listWorktrees(runner: GitRunner, { root }: Repository): Promise<Result<ListedWorktree[]>> {
  const ran = await runList(runner, root);
  if (!ran.ok) return ran;
  const listed: ListedWorktree[] = [];
  let lines: string[] = [];
  const value = (name: string): string | null =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
  for (const field of [...fieldsOf(ran.value.stdout).map(pathText), '']) {
    if (field !== '') {
      lines.push(field);
      continue;
    }
    const path = value('worktree');
    if (path !== null) {
      const isLocked = lines.some((line) => line === 'locked' || line.startsWith('locked '));
      const branch = value('branch')?.replace(/^refs\/heads\//, '') ?? null;
      listed.push({ root: path, head: value('HEAD'), branch, isMain: listed.length === 0, isLocked });
    }
    lines = [];
  }
  return ok(listed);
}

/** Whether a rebase will move this branch when it ends. Until then, git lists its worktree as detached. */
export async function isBeingRebased({ commonDir }: Repository, branch: string): Promise<boolean> {
  const others = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  const gitDirs = [commonDir, ...others.map((name) => join(commonDir, 'worktrees', name))];
  const files = gitDirs.flatMap((gitDir) =>
    ['rebase-merge', 'rebase-apply'].map((folder) => join(gitDir, folder, 'head-name')),
  );
  const names = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return names.some((name) => name.trim() === `refs/heads/${branch}`);
}

export type Branch = { readonly name: string; readonly current: boolean };

/** Local branches, most recent commits first. */
export async function listBranches(runner: GitRunner, { root }: Repository): Promise<Result<Branch[]>> {
  const format = '%(HEAD)%00%(refname:strip=2)%00';
  const args = ['for-each-ref', '--count=1000', '--sort=-committerdate', `--format=${format}`, 'refs/heads/'];
  const ran = await expectGit(runner, { cwd: root, args });
  if (!ran.ok) return ran;
  const fields = fieldsOf(ran.value.stdout).map((field) => field.toString('utf8').replace(/^\n/, ''));
  const branches: Branch[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    branches.push({ name: fields[at + 1] ?? '', current: fields[at] === '*' });
  return ok(branches);
}

/** The commit that a branch, tag or other name resolves to. Null if there is none. */
export async function commitOf(runner: GitRunner, { root }: Repository, name: string): Promise<Result<string | null>> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const ran = await runner({ cwd: root, args });
  if (!ran.ok) return ran;
  return ok(ran.value.code === 0 ? ran.value.stdout.toString().trim() : null);
}

export const branchCommit = (
  runner: GitRunner,
  repository: Repository,
  branch: string,
): Promise<Result<string | null>> => commitOf(runner, repository, `refs/heads/${branch}`);

/** Rejects a name that is invalid for git or already taken. Git distinguishes case, but not every disk does. */
export async function checkNewBranch(
  runner: GitRunner,
  repository: Repository,
  name: string,
): Promise<Result<null, 'INVALID_REQUEST' | 'CONFLICT' | 'GIT_FAILED' | 'GIT_MISSING'>> {
  const checked = await runner({ cwd: repository.root, args: ['check-ref-format', '--branch', name] });
  if (!checked.ok) return checked;
  if (checked.value.code !== 0 || name.startsWith('-'))
    return fail('INVALID_REQUEST', `"${name}" can't be the name of a branch. Choose another.`);
  const ran = await expectGit(runner, {
    cwd: repository.root,
    args: ['for-each-ref', '--format=%(refname:strip=2)', 'refs/heads/'],
  });
  if (!ran.ok) return ran;
  const lower = name.toLowerCase();
  const taken = ran.value.stdout
    .toString()
    .split('\n')
    .find((each) => {
      const other = each.toLowerCase();
      return other !== '' && (other === lower || lower.startsWith(`${other}/`) || other.startsWith(`${lower}/`));
    });
  if (taken === undefined) return ok(null);
  return fail('CONFLICT', `The branch "${taken}" already exists, so "${name}" can't be used. Choose another name.`, {
    branch: taken,
  });
}
