import { setTimeout } from 'node:timers/promises';
import { fail, ok, type MergePlan, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import { pathText, pathTexts } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, gitMessage, type GitRunner } from '../run-git.ts';
import { lookAt } from './look-at.ts';
import { commitTree, mergeTrees } from './merge-trees.ts';
import { rebasedCommit } from './rebase-commits.ts';
import { branchCommit, isBeingRebased, listWorktrees } from './worktree-list.ts';

export type MergeRequest = {
  readonly branch: string;
  readonly into: string;
  readonly how: 'merge' | 'squash' | 'rebase';
};
const shownSubjects = 50;
const moveMs = 600_000;
type Prepared = { readonly commit: string; readonly target: string; readonly plan: MergePlan };

/**
 * Creates the commit of a merge without touching any branch or folder, so conflicts are known before anything moves.
 */
export async function prepareMerge(
  runner: GitRunner,
  repository: Repository,
  { branch, into, how }: MergeRequest,
): Promise<Result<Prepared>> {
  const { root } = repository;
  const [target, tip] = [await branchCommit(runner, repository, into), await branchCommit(runner, repository, branch)];
  if (!target.ok) return target;
  if (!tip.ok) return tip;
  if (target.value === null) return fail('GIT_FAILED', `The branch "${into}" no longer exists. Choose another one.`);
  if (tip.value === null) return fail('GIT_FAILED', `The branch "${branch}" no longer exists.`);
  const [ours, theirs] = [target.value, tip.value];
  const text = async (...args: string[]): Promise<Result<string>> => {
    const ran = await expectGit(runner, { cwd: root, args });
    return ran.ok ? ok(ran.value.stdout.toString().trim()) : ran;
  };
  const count = await text('rev-list', '--count', `${ours}..${theirs}`);
  if (!count.ok) return count;
  const commits = Number(count.value);
  if (commits === 0) return fail('NOTHING_TO_COMMIT', `"${into}" already has every commit of "${branch}".`);
  const behind = await text('rev-list', '--count', `${theirs}..${ours}`);
  if (!behind.ok) return behind;
  const fastForward = behind.value === '0' && how !== 'squash';
  const made = async (): Promise<Result<string>> => {
    if (fastForward) return ok(theirs);
    if (how === 'rebase') return rebasedCommit(runner, root, ours, theirs);
    const tree = await mergeTrees(runner, root, ours, theirs);
    if (!tree.ok) return tree;
    const subjects = await text('log', '--reverse', '--no-merges', '--format=* %s', `${ours}..${theirs}`);
    if (!subjects.ok) return subjects;
    return how === 'merge'
      ? commitTree(runner, root, tree.value, [ours, theirs], `Merge branch '${branch}' into ${into}\n`)
      : commitTree(runner, root, tree.value, [ours], `Squash branch '${branch}'\n\n${subjects.value}\n`);
  };
  const commit = await made();
  if (!commit.ok) return commit;
  const changed = await expectGit(runner, {
    cwd: root,
    args: ['diff-tree', '-r', '--name-only', '--no-renames', '-z', ours, commit.value],
  });
  if (!changed.ok) return changed;
  const files = fieldsOf(changed.value.stdout).map(pathText);
  const newest = await text('log', `--max-count=${shownSubjects}`, '--format=%s', `${ours}..${theirs}`);
  if (!newest.ok) return newest;
  const subjects = newest.value.split('\n');
  return ok({ commit: commit.value, target: ours, plan: { commits, subjects, files, fastForward } });
}

/** A branch moves from one commit to another. */
export type BranchMove = { readonly from: string; readonly to: string };

/** Moves a branch forward. If it is checked out, its folder is updated too, completely or not at all. */
export async function moveBranch(
  runner: GitRunner,
  repository: Repository,
  into: string,
  from: string,
  to: string,
): Promise<Result<null>> {
  const listed = await listWorktrees(runner, repository);
  if (!listed.ok) return listed;
  const place = listed.value.find(({ branch }) => branch === into);
  if (!place) {
    if (await isBeingRebased(repository, into)) return rebasing(into);
    const ran = await runner({
      cwd: repository.root,
      writes: true,
      args: ['update-ref', `refs/heads/${into}`, to, from],
    });
    if (!ran.ok) return ran;
    return ran.value.code === 0
      ? ok(null)
      : fail('STALE', `"${into}" has moved in the meantime. Nothing was merged. Try again.`);
  }
  // Never `update-ref` a branch that is checked out: its folder would look as if everything had been reverted.
  const ran = await runner({
    cwd: place.root,
    writes: true,
    finishes: true,
    // An ignored file of the user is nowhere else, so it isn't overwritten either.
    args: ['merge', '--ff-only', '--quiet', '--no-overwrite-ignore', '--no-autostash', to],
    timeoutMs: moveMs,
  });
  if (!ran.ok) return ran;
  if (ran.value.code === 0) return ok(null);
  const { stderr } = ran.value;
  if (/index\.lock/.test(stderr))
    return fail('GIT_BUSY', `Another git command is running in ${place.root}. Try again when it is done.`);
  if (/would be overwritten|not uptodate/.test(stderr))
    return fail(
      'WORKTREE_DIRTY',
      `Files in ${place.root} that aren't committed are in the way. Commit, stash or move them first.`,
      {
        files: stderr.split('\n').flatMap((line) => (line.startsWith('\t') ? [line.trim()] : [])),
      },
    );
  return fail('GIT_FAILED', gitMessage(stderr) || `"${into}" could not be moved.`);
}

/** The end of a rebase sets its branch, so what was moved before is lost. */
const rebasing = (into: string) => fail('GIT_BUSY', `A rebase of "${into}" is in progress. Finish or abort it first.`);

/**
 * Moves a branch back to before a merge, if it is still where the merge left it. If it is checked out, its folder is
 * updated too; uncommitted changes stay, or make this fail. Repeating it changes nothing more.
 */
export async function moveBranchBack(
  runner: GitRunner,
  repository: Repository,
  into: string,
  { from, to }: BranchMove,
): Promise<Result<null>> {
  const now = await branchCommit(runner, repository, into);
  if (!now.ok) return now;
  if (now.value === from) return ok(null);
  const moved = fail(
    'STALE',
    `"${into}" has moved since the merge. Undo it by hand: \`git revert\` makes a new commit.`,
  );
  if (now.value !== to) return moved;
  const listed = await listWorktrees(runner, repository);
  if (!listed.ok) return listed;
  const place = listed.value.find(({ branch }) => branch === into);
  if (place) {
    const inTheWay = fail(
      'WORKTREE_DIRTY',
      `Files in ${place.root} that aren't committed are in the way. Commit or move them first.`,
    );
    const covered = await untrackedInTheWay(runner, place.root, { from, to });
    if (!covered.ok) return covered;
    if (covered.value) return inTheWay;
    // Refresh first: a file that only looks changed (copied back, or touched) must not be an obstacle.
    await runner({ cwd: place.root, writes: true, args: ['update-index', '-q', '--refresh'] });
    // A merge of two trees keeps everything outside the merge unchanged, staged or not.
    const args = ['read-tree', '-m', '-u', to, from];
    const ran = await runner({ cwd: place.root, writes: true, finishes: true, args, timeoutMs: moveMs });
    if (!ran.ok) return ran;
    if (/index\.lock/.test(ran.value.stderr))
      return fail('GIT_BUSY', `Another git command is running in ${place.root}. Try again when it is done.`);
    if (ran.value.code !== 0) return inTheWay;
  } else if (await isBeingRebased(repository, into)) return rebasing(into);
  const args = ['update-ref', '-m', 'undo merge', `refs/heads/${into}`, from, to];
  const ran = await runner({ cwd: repository.root, writes: true, args });
  if (!ran.ok) return ran;
  return ran.value.code === 0 ? ok(null) : moved;
}

/** Whether a file that moving back would write is there but untracked. `read-tree` overwrites it if it is ignored. */
async function untrackedInTheWay(runner: GitRunner, root: string, { from, to }: BranchMove): Promise<Result<boolean>> {
  const options = ['-z', '--name-only', '--no-renames'];
  const added = await expectGit(runner, {
    cwd: root,
    args: ['diff-tree', '-r', ...options, '--diff-filter=A', to, from],
  });
  if (!added.ok) return added;
  const missing = await expectGit(runner, {
    cwd: root,
    args: ['diff-index', '--cached', ...options, '--diff-filter=D', from],
  });
  if (!missing.ok) return missing;
  const isMissing = new Set(pathTexts(missing.value.stdout));
  const written = pathTexts(added.value.stdout).filter((path) => isMissing.has(path));
  const there = new Set<string>();
  await lookAt(root, written, (path, found) => found && there.add(path));
  await lookAt(root, new Set(written.flatMap(foldersOf)), (path, found) => {
    if (found && !found.isDirectory()) there.add(path);
  });
  if (there.size === 0) return ok(false);
  // What is there may be tracked, such as a folder that becomes a file again.
  let isInTheWay = false;
  const onField = (field: Buffer): boolean => {
    const path = pathText(field);
    isInTheWay ||= [path, ...foldersOf(path)].some((each) => there.has(each));
    return !isInTheWay;
  };
  const others = await expectGit(runner, { cwd: root, args: ['ls-files', '--others', '-z'], onField });
  return others.ok ? ok(isInTheWay) : others;
}

const foldersOf = (path: string): string[] => {
  const names = path.split('/').slice(0, -1);
  return names.map((_, place) => names.slice(0, place + 1).join('/'));
};

const busyTries = 100;
const busyWaitMs = 100;

/**
 * Completes a move that a crash may have interrupted. Repeating it gives the same result. The git process of the killed
 * server may still be running.
 */
export async function finishMove(
  runner: GitRunner,
  repository: Repository,
  into: string,
  { from, to }: BranchMove,
): Promise<Result<null>> {
  for (let tries = 1; ; tries += 1) {
    const now = await branchCommit(runner, repository, into);
    if (!now.ok) return now;
    if (now.value === to) return ok(null);
    if (now.value !== from) return fail('STALE', `"${into}" has moved in the meantime.`);
    const moved = await moveBranch(runner, repository, into, from, to);
    const isInTheWay = !moved.ok && (moved.failure.code === 'GIT_BUSY' || moved.failure.code === 'STALE');
    if (!isInTheWay || tries === busyTries) return moved;
    await setTimeout(busyWaitMs);
  }
}
