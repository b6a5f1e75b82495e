import { fail, ok, type MergePlan, type PushWorktreeReply, type Result } from '@liminal/contracts';
import { findBase } from '../compare-trees.ts';
import { findRepository, readState, type Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import type { Queues } from '../tree-queue.ts';
import {
  deleteBranch,
  fillWorktree,
  registerWorktree,
  removeWorktree,
  type CheckoutProgress,
  type NewWorktree,
} from './add-worktree.ts';
import { copyFiles, differingConfiguration, includedFiles } from './included-files.ts';
import {
  finishMove,
  moveBranch,
  moveBranchBack,
  prepareMerge,
  type BranchMove,
  type MergeRequest,
} from './merge-branch.ts';
import { pushBranch, remoteUrl } from './push-branch.ts';
import { parkRef } from './park-record.ts';
import { planPark, type NotKeptEntry } from './park-plan.ts';
import { parkTree, type Parked, type ParkOptions } from './park-tree.ts';
import { restoreTree, type Restored, type RestoreOptions } from './restore-tree.ts';
import {
  commitsOnlyHere,
  hasSubmodules,
  ignoredEntries,
  submoduleWork,
  unsavedWork,
  type UnsavedWork,
} from './unsaved-work.ts';
import { writing } from '../full-disk.ts';
import { pathText } from '../path-text.ts';
import {
  branchCommit,
  checkNewBranch,
  commitOf,
  listBranches,
  listWorktrees,
  type Branch,
  type ListedWorktree,
} from './worktree-list.ts';

type Checkout = { readonly signal?: AbortSignal; readonly onProgress?: CheckoutProgress };

/**
 * The worktrees of one repository. Changes of refs or the list of worktrees run one at a time; writing a worktree's
 * files doesn't, so nobody waits for it.
 */
export type RepositoryWorktrees = {
  readonly repository: Repository;
  list(): Promise<Result<ListedWorktree[]>>;
  branches(): Promise<Result<Branch[]>>;
  /** What new work starts from: the folder's current branch, or the default one. */
  usualBase(): Promise<Result<string | null>>;
  /** Null if the name doesn't resolve. */
  commitOf(name: string): Promise<Result<string | null>>;
  branchCommit(branch: string): Promise<Result<string | null>>;
  checkNewBranch(name: string): Promise<Result<null>>;
  hasSubmodules(commit: string): Promise<boolean>;
  differingConfiguration(commit: string): Promise<Result<string[]>>;
  register(worktree: NewWorktree): Promise<Result<null>>;
  fill(root: string, options: Checkout): Promise<Result<null>>;
  /** Copies the files that the commit's `.worktreeinclude` names. Returns their number. */
  include(root: string, commit: string, signal?: AbortSignal): Promise<Result<number>>;
  /** The files of a worktree that the commit's `.worktreeinclude` names, below its root. */
  included(root: string, commit: string): Promise<Result<string[]>>;
  unsaved(root: string): Promise<Result<UnsavedWork>>;
  /** What its submodules have that would be lost with it, in words; null if nothing. */
  submoduleWork(root: string): Promise<Result<string | null>>;
  /** The files and folders git ignores, with sizes. */
  ignored(root: string): Promise<Result<NotKeptEntry[]>>;
  commitsOnlyOn(branch: string): Promise<Result<number>>;
  planPark(root: string, keep: readonly string[]): Promise<Result<readonly NotKeptEntry[]>>;
  park(root: string, options: ParkOptions): Promise<Result<Parked>>;
  restore(options: RestoreOptions): Promise<Result<Restored>>;
  forgetPark(worktreeId: string): Promise<void>;
  /** The result of a merge. CONFLICT with the files if both changed the same lines. Nothing moves. */
  planMerge(request: MergeRequest): Promise<Result<MergePlan>>;
  /** Returns the branch's new commit. `confirm` is called with the move before it happens. */
  merge(request: MergeRequest, confirm?: (moved: BranchMove) => Promise<void>): Promise<Result<string>>;
  /** Completes a confirmed merge that may have been interrupted. */
  finishMerge(into: string, moved: BranchMove): Promise<Result<null>>;
  push(root: string, branch: string): Promise<Result<PushWorktreeReply>>;
  /** The URL of the remote that the branch is pushed to, or null if there is none. */
  remoteUrl(branch: string): Promise<Result<string | null>>;
  /** Moves the branch back to before the merge. */
  undoMerge(into: string, moved: BranchMove): Promise<Result<null>>;
  /** Removes a worktree with everything in it. With `later`, its folder is only renamed (`set-aside.ts`). */
  remove(root: string, options?: { readonly later?: boolean }): Promise<Result<null>>;
  deleteBranch(branch: string, expected: string): Promise<boolean>;
};

export function createRepositoryWorktrees(
  runner: GitRunner,
  repository: Repository,
  queues: Queues,
): RepositoryWorktrees {
  const alone = <T>(task: () => Promise<T>): Promise<T> => queues.run(`write ${repository.commonDir}`, task);
  /** Opens a worktree, but only one of this repository. */
  const at = async (root: string): Promise<Result<Repository>> => {
    const found = await findRepository(runner, root);
    if (!found.ok) return found;
    return found.value.commonDir === repository.commonDir
      ? found
      : fail('GIT_FAILED', `${root} isn't a worktree of this repository any more.`);
  };
  return {
    repository,
    list: () => listWorktrees(runner, repository),
    branches: () => listBranches(runner, repository),
    async usualBase() {
      const state = await readState(runner, repository);
      if (!state.ok) return state;
      if (state.value.head === null) return ok(null);
      if (state.value.branch !== null) return ok(state.value.branch);
      const base = await findBase(runner, repository, state.value, undefined);
      return base.ok ? ok(base.value?.name ?? null) : base;
    },
    commitOf: (name) => commitOf(runner, repository, name),
    branchCommit: (branch) => branchCommit(runner, repository, branch),
    checkNewBranch: (name) => checkNewBranch(runner, repository, name),
    hasSubmodules: (commit) => hasSubmodules(runner, repository, commit),
    differingConfiguration: (commit) => differingConfiguration(runner, repository, commit),
    register: (worktree) => alone(() => registerWorktree(runner, repository, worktree)),
    fill: (root, options) => fillWorktree(runner, root, options),
    include: (root, commit, signal) =>
      writing(async () => {
        const files = await includedFiles(runner, repository, commit);
        return files.ok ? copyFiles(repository.root, root, files.value, signal) : files;
      }),
    async included(root, commit) {
      const tree = await at(root);
      if (!tree.ok) return tree;
      const files = await includedFiles(runner, tree.value, commit);
      return files.ok ? ok(files.value.map(pathText)) : files;
    },
    async unsaved(root) {
      const tree = await at(root);
      return tree.ok ? unsavedWork(runner, tree.value) : tree;
    },
    async submoduleWork(root) {
      const tree = await at(root);
      return tree.ok ? submoduleWork(runner, tree.value) : tree;
    },
    async ignored(root) {
      const tree = await at(root);
      if (!tree.ok) return tree;
      const entries = await ignoredEntries(runner, tree.value);
      if (!entries.ok) return entries;
      return ok(
        entries.value.map(({ path, isFolder, size }) => ({ path: pathText(path) + (isFolder ? '/' : ''), size })),
      );
    },
    async commitsOnlyOn(branch) {
      const commit = await branchCommit(runner, repository, branch);
      if (!commit.ok) return commit;
      return commit.value === null ? ok(0) : commitsOnlyHere(runner, repository, commit.value, branch);
    },
    async planPark(root, keep) {
      const tree = await at(root);
      if (!tree.ok) return tree;
      const plan = await planPark(runner, tree.value, keep);
      return plan.ok ? ok(plan.value.notKept) : plan;
    },
    async park(root, options) {
      const tree = await at(root);
      return tree.ok ? writing(() => parkTree(runner, tree.value, options)) : tree;
    },
    restore: (options) => writing(() => restoreTree(runner, repository, options, alone)),
    async forgetPark(worktreeId) {
      await expectGit(runner, {
        cwd: repository.root,
        writes: true,
        args: ['update-ref', '-d', parkRef(worktreeId)],
      });
    },
    async planMerge(request) {
      const prepared = await prepareMerge(runner, repository, request);
      return prepared.ok ? ok(prepared.value.plan) : prepared;
    },
    merge: (request, confirm) =>
      alone(async () => {
        const prepared = await prepareMerge(runner, repository, request);
        if (!prepared.ok) return prepared;
        const { commit, target } = prepared.value;
        await confirm?.({ from: target, to: commit });
        const moved = await moveBranch(runner, repository, request.into, target, commit);
        return moved.ok ? ok(commit) : moved;
      }),
    finishMerge: (into, moved) => alone(() => finishMove(runner, repository, into, moved)),
    push: (root, branch) => pushBranch(runner, { root, gitDir: repository.gitDir }, branch),
    remoteUrl: (branch) => remoteUrl(runner, repository.root, branch),
    undoMerge: (into, moved) => alone(() => moveBranchBack(runner, repository, into, moved)),
    remove: (root, options) => alone(() => removeWorktree(runner, repository, root, options)),
    deleteBranch: (branch, expected) => alone(() => deleteBranch(runner, repository, branch, expected)),
  };
}
