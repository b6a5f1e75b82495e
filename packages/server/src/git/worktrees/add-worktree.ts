import { lstat, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import type { Repository } from '../repository.ts';
import { diskIsFull, saysDiskIsFull } from '../full-disk.ts';
import { gitMessage, type GitRunner } from '../run-git.ts';
import { setAside } from './set-aside.ts';
import { branchCommit, isBeingRebased, listWorktrees } from './worktree-list.ts';

export type CheckoutProgress = (done: number, total: number) => void;

export type NewWorktree = {
  readonly root: string;
  /** Created at `commit`. Null to check out `branch`, or a detached HEAD without one. */
  readonly newBranch: string | null;
  /** An existing branch. */
  readonly branch?: string;
  readonly commit: string;
  readonly reason: string;
};

/** Registers a worktree without files. Takes milliseconds, so it may hold the repository's lock. */
export async function registerWorktree(
  runner: GitRunner,
  repository: Repository,
  { root, newBranch, branch, commit, reason }: NewWorktree,
): Promise<Result<null>> {
  const there = await lstat(root).catch(() => null);
  if (there !== null) return fail('CONFLICT', `The folder ${root} already exists. Move it away, then try again.`);
  await mkdir(dirname(root), { recursive: true });
  const how = newBranch === null ? (branch === undefined ? ['--detach'] : []) : ['-b', newBranch];
  const args = ['worktree', 'add', '--no-checkout', '--no-track', '--lock', '--reason', reason, ...how, '--', root];
  const named = args.filter((arg) => arg !== '--no-track' || newBranch !== null);
  const before = newBranch === null ? ok(null) : await branchCommit(runner, repository, newBranch);
  const ran = await runner({ cwd: repository.root, writes: true, args: [...named, branch ?? commit] });
  if (!ran.ok) return ran;
  if (ran.value.code === 0) return ok(null);
  await removeWorktree(runner, repository, root);
  // Git creates the branch first.
  if (newBranch !== null && before.ok && before.value === null)
    await deleteBranch(runner, repository, newBranch, commit);
  const { stderr } = ran.value;
  const elsewhere = /already (?:checked out|used by worktree) at '(.+)'/.exec(stderr)?.[1];
  if (elsewhere !== undefined)
    return fail(
      'CONFLICT',
      `The branch "${branch ?? ''}" is checked out in ${elsewhere}. Switch to another one there.`,
    );
  return fail('GIT_FAILED', diskSentence(stderr) ?? (gitMessage(stderr) || "Git couldn't create the worktree."));
}

/** Writes the files of a registered worktree. Blocks no other git command. */
export async function fillWorktree(
  runner: GitRunner,
  root: string,
  options: { readonly signal?: AbortSignal; readonly onProgress?: CheckoutProgress } = {},
): Promise<Result<null>> {
  const ran = await runner({
    cwd: root,
    args: ['checkout', '--force', '--progress'],
    writes: true,
    timeoutMs: 60 * 60_000,
    ...(options.signal && { signal: options.signal }),
    onMessage(text) {
      const counts = [...text.matchAll(/\((\d+)\/(\d+)\)/g)].at(-1);
      if (counts) options.onProgress?.(Number(counts[1]), Number(counts[2]));
    },
  });
  if (!ran.ok) return ran;
  if (ran.value.code === 0) return ok(null);
  const { stderr } = ran.value;
  return fail('GIT_FAILED', diskSentence(stderr) ?? (gitMessage(stderr) || "Git couldn't write the files."));
}

const diskSentence = (stderr: string): string | null =>
  saysDiskIsFull(stderr) ? `${diskIsFull} Nothing was left behind.` : null;

/**
 * Removes a worktree and its folder, whatever their state. Its content is lost, so use this only if it is empty, or its
 * work is kept elsewhere. With `later`, the folder is only set aside: the caller deletes it afterwards.
 */
export async function removeWorktree(
  runner: GitRunner,
  repository: Repository,
  root: string,
  { later = false }: { readonly later?: boolean } = {},
): Promise<Result<null>> {
  const listed = await listWorktrees(runner, repository);
  if (!listed.ok) return listed;
  const entry = listed.value.find((each) => each.root === root);
  if (entry?.isMain) return fail('NOT_SUPPORTED', "This is the repository's own folder. It is never removed.");
  const forget = () =>
    runner({
      cwd: repository.root,
      writes: true,
      args: ['worktree', 'remove', '--force', '--', root],
      timeoutMs: 15 * 60_000,
    });
  // If the folder can't be renamed, it is deleted here.
  if (later) await setAside(root);
  if (entry) {
    await runner({ cwd: repository.root, args: ['worktree', 'unlock', '--', root] });
    const removed = await forget();
    if (!removed.ok) return removed;
  }
  try {
    // Git may leave a folder that is only half a worktree, or one with submodules. A git process that outlived its
    // server may still write for a moment.
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return fail('GIT_FAILED', `The folder ${root} couldn't be removed (${code}). Remove it by hand.`);
  }
  if (!entry) return ok(null);
  // Git refuses to remove an entry whose folder is no longer a worktree, unless the folder is gone. Never use `prune`:
  // it would remove worktrees of others too.
  const left = await listWorktrees(runner, repository);
  if (!left.ok) return left;
  if (!left.value.some((each) => each.root === root)) return ok(null);
  const forgotten = await forget();
  if (!forgotten.ok) return forgotten;
  return forgotten.value.code === 0 ? ok(null) : fail('GIT_FAILED', gitMessage(forgotten.value.stderr));
}

/** Deletes a branch if it is still at the expected commit and no rebase of it is in progress. True if it is gone. */
export async function deleteBranch(
  runner: GitRunner,
  repository: Repository,
  branch: string,
  expected: string,
): Promise<boolean> {
  if (await isBeingRebased(repository, branch)) return false;
  const args = ['update-ref', '-d', `refs/heads/${branch}`, expected];
  const ran = await runner({ cwd: repository.root, writes: true, args });
  return ran.ok && ran.value.code === 0;
}
