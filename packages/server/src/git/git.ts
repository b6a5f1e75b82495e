import type { ChangedFileReply, CommitBody, CommitReply, LineCounts, NotKeptFile, Result } from '@liminal/contracts';
import type { ChangedEntry } from './changed-entries.ts';
import type { OpenFailure, Repository, TreeState } from './repository.ts';
import type { DiscardPlan, KeptDiscard } from './staging/discard-changes.ts';
import type { Included } from './snapshots/include-files.ts';
import type { RecordedTree } from './snapshots/kept-files.ts';
import type { TreePair } from './snapshots/kept-trees.ts';
import type { Choice } from './staging/stage-changes.ts';
import type { FileChange, PreparedRestore, Restored } from './restore/restore-files.ts';
import type { RestoreTarget } from './restore/restore-plan.ts';
import type { Snapshot } from './snapshots/snapshot.ts';
import type { TreeWatch } from './watch/tree-watch.ts';
import type { WorkingFile } from './working-files.ts';
import type { RepositoryWorktrees } from './worktrees/repository-worktrees.ts';

/** What is compared. Trees are compared as they are; `to: null` is the working tree now. */
export type Comparison =
  | { readonly kind: 'uncommitted' | 'staged' | 'unstaged' }
  /** With the commit where both parted; the default branch unless given. */
  | { readonly kind: 'base'; readonly base?: string }
  | { readonly kind: 'trees'; readonly from: string; readonly to: string | null };

/** A changed file with what a list shows of it. */
export type ListedEntry = ChangedEntry & { readonly size: number; readonly staged: 'no' | 'partly' | 'yes' };

export type TreeChanges = {
  readonly state: TreeState;
  /** The name of what scope `base` compares with; null where there is nothing to compare with. */
  readonly base?: string | null;
  readonly entries: readonly ListedEntry[];
  readonly notKept: readonly NotKeptFile[];
  readonly nested: readonly string[];
};

export type PatchOptions = { readonly context: number; readonly whitespace: 'show' | 'ignore'; readonly full: boolean };

/** A snapshot with what git was doing when it was taken. */
export type TakenSnapshot = { readonly snapshot: Snapshot; readonly state: TreeState };
export type KeptSnapshot = TakenSnapshot & { readonly ref: string };

export type RestorePlan = { readonly state: TreeState; readonly targets: readonly RestoreTarget[] };

/** The working tree of one project folder. Reads of one tree run one after another. */
export type WorkingTree = {
  readonly repository: Repository;
  state(): Promise<Result<TreeState>>;
  changes(comparison: Comparison): Promise<Result<TreeChanges>>;
  /** One file of such a list as it is now; FILE_NOT_FOUND when it does not differ (any more). */
  patch(comparison: Comparison, path: string, options: PatchOptions): Promise<Result<ChangedFileReply>>;
  /** Records tracked and untracked files as a tree. Neither the user's index nor a branch is touched. */
  snapshot(): Promise<Result<Snapshot>>;
  take(): Promise<Result<TakenSnapshot>>;
  /** The same, kept for good under `refs/liminal/` and this name; or one that was taken before and still counts. */
  keep(name: string, taken?: TakenSnapshot): Promise<Result<KeptSnapshot>>;
  /** Lets go of refs under `refs/liminal/`, with what belongs to them. Git's own clean-up frees the space. */
  forget(refs: readonly string[]): Promise<Result<null>>;
  /** A recorded tree with these files as they are now; `ignored`: only those that git ignores. */
  include(recorded: RecordedTree, paths: readonly string[], which: 'all' | 'ignored'): Promise<Result<Included>>;
  /** One file of a recorded tree, byte for byte, with all its permission bits; null where there was none. */
  readKept(recorded: RecordedTree, path: string): Promise<Result<WorkingFile | null>>;
  /** Calls back when files or git's own state changed, in bursts. Everybody who watches this tree shares one watch. */
  watch(onChanged: () => void): TreeWatch;
  /** Two trees that differ by what all these pairs differ by. */
  join(pairs: readonly TreePair[]): Promise<Result<TreePair>>;
  /** Writes of one repository run one after another; none of them holds up a read. Each returns the paths it changed. */
  stage(choice: Choice): Promise<Result<string[]>>;
  unstage(choice: Choice): Promise<Result<string[]>>;
  /** `confirm` makes the plan durable; only then is a file touched. */
  discard(
    choice: Choice,
    scope: 'unstaged' | 'uncommitted',
    name: string,
    confirm: (plan: DiscardPlan) => Promise<void>,
  ): Promise<Result<string[]>>;
  undoDiscard(kept: KeptDiscard): Promise<Result<string[]>>;
  /** What each file becomes when these changes, oldest first, are taken back. */
  planRestore(pairs: readonly TreePair[]): Promise<Result<RestorePlan>>;
  /** How many lines each file of a plan gains and loses, by path. */
  countLines(targets: readonly RestoreTarget[]): Promise<Result<ReadonlyMap<string, LineCounts>>>;
  /** Keeps the bytes of such files, as they are and as they become, under this name; STALE when one has changed. */
  prepareRestore(targets: readonly RestoreTarget[], name: string): Promise<Result<PreparedRestore>>;
  /** Puts prepared files in their place, or back. The same again comes to the same. */
  applyRestore(files: readonly FileChange[], direction: 'forward' | 'back'): Promise<Result<Restored>>;
  /** With the user's hooks, name and signature. */
  commit(body: CommitBody): Promise<Result<CommitReply>>;
};

export type RecordedFolder = { readonly tree: WorkingTree; readonly isShadow: boolean };

/** Git for the rest of the server. It is only ever asked about folders the user trusts. */
export type Git = {
  open(folder: string): Promise<Result<WorkingTree, OpenFailure>>;
  /**
   * The same for checkpoints: a folder without git may have a repository of ours, which knows no commits, branches or
   * index of the user's.
   */
  openRecorded(folder: string): Promise<Result<RecordedFolder, OpenFailure>>;
  /** The worktrees of a folder's repository. */
  worktrees(folder: string): Promise<Result<RepositoryWorktrees, OpenFailure>>;
  /** Every file of a folder that git does not ignore; null where there is no git or no repository. */
  listFiles(folder: string): Promise<readonly string[] | null>;
  /** Those of these paths that git does not ignore; all of them where it cannot say. */
  withoutIgnored(folder: string, paths: readonly string[]): Promise<string[]>;
};
