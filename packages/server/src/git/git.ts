import type { ChangedFileReply, CommitBody, CommitReply, LineCounts, NotKeptFile, Result } from '@liminal/contracts';
import type { ChangedEntry } from './changed-entries.ts';
import type { OpenFailure, Repository, TreeState } from './repository.ts';
import type { DiscardPlan, KeptDiscard } from './staging/discard-changes.ts';
import type { Included } from './snapshots/include-files.ts';
import type { RecordedTree } from './snapshots/kept-files.ts';
import type { TreePair } from './snapshots/kept-trees.ts';
import type { Choice } from './staging/stage-changes.ts';
import type { FileChange, PreparedRestore, Restored } from './restore/restore-files.ts';
import type { RestoreTarget, TurnTrees } from './restore/restore-plan.ts';
import type { Snapshot } from './snapshots/snapshot.ts';
import type { TreeWatch } from './watch/tree-watch.ts';
import type { WorkingFile } from './working-files.ts';
import type { RepositoryWorktrees } from './worktrees/repository-worktrees.ts';

/** What to compare. Trees are compared as they are; `to: null` is the current working tree. */
export type Comparison =
  | { readonly kind: 'uncommitted' | 'staged' | 'unstaged' }
  /** Compares with the commit where the branch and its base diverged. The base is the default branch unless given. */
  | { readonly kind: 'base'; readonly base?: string }
  | { readonly kind: 'trees'; readonly from: string; readonly to: string | null };

/** A changed file with the details a list shows. */
export type ListedEntry = ChangedEntry & { readonly size: number; readonly staged: 'no' | 'partly' | 'yes' };

export type TreeChanges = {
  readonly state: TreeState;
  /** What scope `base` compares with. Null if there is nothing to compare with. */
  readonly base?: string | null;
  readonly entries: readonly ListedEntry[];
  readonly notKept: readonly NotKeptFile[];
  readonly nested: readonly string[];
};

export type PatchOptions = { readonly context: number; readonly whitespace: 'show' | 'ignore'; readonly full: boolean };

/** A snapshot, and the operation git was in when it was taken. */
export type TakenSnapshot = { readonly snapshot: Snapshot; readonly state: TreeState };
export type KeptSnapshot = TakenSnapshot & { readonly ref: string };

export type RestorePlan = {
  readonly state: TreeState;
  readonly targets: readonly RestoreTarget[];
  /** Files whose current content can't be read, so they stay as they are. */
  readonly notKept: readonly NotKeptFile[];
};

/** The working tree of one project folder. Reads of one tree run one after another. */
export type WorkingTree = {
  readonly repository: Repository;
  state(): Promise<Result<TreeState>>;
  changes(comparison: Comparison): Promise<Result<TreeChanges>>;
  /** The current patch of one file in such a list. FILE_NOT_FOUND if it doesn't differ, or no longer does. */
  patch(comparison: Comparison, path: string, options: PatchOptions): Promise<Result<ChangedFileReply>>;
  /** Records tracked and untracked files as a tree, without touching the user's index or any branch. */
  snapshot(): Promise<Result<Snapshot>>;
  take(): Promise<Result<TakenSnapshot>>;
  /** Takes a snapshot, or uses `taken`, and keeps it under `refs/liminal/` by this name until `forget`. */
  keep(name: string, taken?: TakenSnapshot): Promise<Result<KeptSnapshot>>;
  /**
   * Deletes refs under `refs/liminal/` with everything that belongs to them. Git's garbage collection frees the space,
   * except in our own repositories, where this does.
   */
  forget(refs: readonly string[]): Promise<Result<null>>;
  /** A recorded tree with these files as they are now. `ignored`: only those that git ignores. */
  include(recorded: RecordedTree, paths: readonly string[], which: 'all' | 'ignored'): Promise<Result<Included>>;
  /** One file of a recorded tree, byte for byte, with all permission bits. Null if there was none. */
  readKept(recorded: RecordedTree, path: string): Promise<Result<WorkingFile | null>>;
  /** Calls back when files or git's own state changed, debounced. All watchers of this tree share one watch. */
  watch(onChanged: () => void): TreeWatch;
  /** Two trees with the combined differences of all these pairs. */
  join(pairs: readonly TreePair[]): Promise<Result<TreePair>>;
  /** Writes to one repository run in order and never block a read. Each returns the paths it changed. */
  stage(choice: Choice): Promise<Result<string[]>>;
  unstage(choice: Choice): Promise<Result<string[]>>;
  /** `confirm` makes the plan durable. Files are changed only after that. */
  discard(
    choice: Choice,
    scope: 'unstaged' | 'uncommitted',
    name: string,
    confirm: (plan: DiscardPlan) => Promise<void>,
  ): Promise<Result<string[]>>;
  undoDiscard(kept: KeptDiscard): Promise<Result<string[]>>;
  /** What each file becomes when these turns, oldest first, are reverted. `named`: the paths their calls named. */
  planRestore(turns: readonly TurnTrees[], named: ReadonlySet<string>): Promise<Result<RestorePlan>>;
  /** How many lines each file of a plan gains and loses, by path. */
  countLines(targets: readonly RestoreTarget[]): Promise<Result<ReadonlyMap<string, LineCounts>>>;
  /** Keeps the current and the restored bytes of these files under this name. STALE if one has changed. */
  prepareRestore(targets: readonly RestoreTarget[], name: string): Promise<Result<PreparedRestore>>;
  /** Writes the prepared files, or puts the old ones back. Repeating it has no further effect. */
  applyRestore(files: readonly FileChange[], direction: 'forward' | 'back'): Promise<Result<Restored>>;
  /** Commits with the user's hooks, name and signature. */
  commit(body: CommitBody): Promise<Result<CommitReply>>;
};

export type RecordedFolder = { readonly tree: WorkingTree; readonly isShadow: boolean };

/** Git for the rest of the server. Used only in folders the user trusts. */
export type Git = {
  open(folder: string): Promise<Result<WorkingTree, OpenFailure>>;
  /**
   * The same for checkpoints. A folder without git may get a repository of ours, which has no commits, branches or user
   * index.
   */
  openRecorded(folder: string): Promise<Result<RecordedFolder, OpenFailure>>;
  /** The worktrees of a folder's repository. */
  worktrees(folder: string): Promise<Result<RepositoryWorktrees, OpenFailure>>;
  /** Every file of a folder that git doesn't ignore. Null without git or a repository. */
  listFiles(folder: string): Promise<readonly string[] | null>;
  /** The paths that git doesn't ignore, or all of them if git can't tell. */
  withoutIgnored(folder: string, paths: readonly string[]): Promise<string[]>;
};
