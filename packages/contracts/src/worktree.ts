import { z } from 'zod';
import { IsoTime } from './session/upsert.ts';

/**
 * `creating`: its files are being written. `setup`: the project's setup command runs. `parked`: its work is kept in the
 * repository and its folder is gone. `missing`: its folder is gone, but it wasn't parked. `foreign`: created outside of
 * the workbench, never removed.
 */
export const WorktreeState = z.enum(['creating', 'setup', 'ready', 'failed', 'parked', 'missing', 'foreign']);
export type WorktreeState = z.infer<typeof WorktreeState>;

export const WorktreeProgress = z.object({
  step: z.enum(['files', 'copy', 'setup', 'park', 'restore', 'remove']),
  done: z.int().nonnegative().optional(),
  total: z.int().nonnegative().optional(),
});
export type WorktreeProgress = z.infer<typeof WorktreeProgress>;

/** The output of the setup command and how it ended; `exitCode` is null while it runs and if a signal ended it. */
export const WorktreeSetup = z.object({
  command: z.string(),
  output: z.string(),
  exitCode: z.int().nullable(),
  running: z.boolean(),
});
export type WorktreeSetup = z.infer<typeof WorktreeSetup>;

export const Worktree = z.object({
  worktreeId: z.string().min(1),
  projectId: z.string().min(1),
  sessionId: z.string().nullable(),
  /** The `clientSessionId` of the session it is created for, so the caller can identify it before the reply. */
  startedFor: z.string().optional(),
  /** The folder where a session works. */
  folder: z.string().min(1),
  branch: z.string().nullable(),
  /** The branch it was created from. */
  base: z.string().nullable(),
  state: WorktreeState,
  progress: WorktreeProgress.optional(),
  /** Why it failed. */
  error: z.string().optional(),
  /** Something the user should know, for example that submodules are empty. */
  notice: z.string().optional(),
  setup: WorktreeSetup.optional(),
  /** Has uncommitted changes. */
  dirty: z.boolean(),
  /** Commits that are on no other branch. */
  ahead: z.int().nonnegative(),
  /** Bytes on disk; null until measured. */
  size: z.int().nonnegative().nullable(),
  lastUsed: IsoTime,
});
export type Worktree = z.infer<typeof Worktree>;

export const WorktreesReply = z.object({ worktrees: z.array(Worktree) });
export type WorktreesReply = z.infer<typeof WorktreesReply>;

const branchName = z.string().trim().min(1).max(200);
const madeFrom = {
  base: branchName.optional(),
  branch: branchName.optional(),
  /** The user knows that the base's agent settings differ from those of the trusted folder, and wants to continue. */
  trustConfiguration: z.boolean().optional(),
};

export const CreateWorktreeBody = z
  .object(madeFrom)
  .nullish()
  .transform((body) => body ?? {});
export type CreateWorktreeBody = z.output<typeof CreateWorktreeBody>;
export const CreateWorktreeReply = z.object({ worktreeId: z.string() });

/** Where a new session will work. */
export const PlaceChoice = z.union([
  z.object({ kind: z.literal('folder') }),
  z.object({ kind: z.literal('worktree'), worktreeId: z.string().min(1) }),
  z.object({ kind: z.literal('worktree'), ...madeFrom }),
]);
export type PlaceChoice = z.infer<typeof PlaceChoice>;

export const BranchesReply = z.object({
  /** Newest first. */
  branches: z.array(z.object({ name: z.string(), current: z.boolean() })),
  /** The default base of new worktrees. */
  base: z.string().nullable(),
});
export type BranchesReply = z.infer<typeof BranchesReply>;

export const RemoveWorktreeQuery = z.object({
  /** Confirms that ignored files are deleted. */
  dropIgnored: z.stringbool().optional(),
});
export type RemoveWorktreeQuery = z.output<typeof RemoveWorktreeQuery>;

export const ParkWorktreeBody = z
  .object({
    /** Only reports what would not be kept. */
    dryRun: z.boolean().optional(),
    /** Confirms that ignored files that aren't kept are deleted. */
    dropIgnored: z.boolean().optional(),
    /** Ignored files and folders to keep although they are large. */
    keep: z.array(z.string().min(1).max(4096)).max(1_000).optional(),
  })
  .nullish()
  .transform((body) => body ?? {});
export type ParkWorktreeBody = z.output<typeof ParkWorktreeBody>;
export const ParkWorktreeReply = z.object({
  notKept: z.array(z.object({ path: z.string(), size: z.int().nonnegative() })),
});
export type ParkWorktreeReply = z.infer<typeof ParkWorktreeReply>;

export const MergeWorktreeBody = z.object({
  how: z.enum(['merge', 'squash', 'rebase']),
  /** The branch it was created from by default. */
  into: branchName.optional(),
  /** Only reports what the merge would do. */
  dryRun: z.boolean().optional(),
});
export type MergeWorktreeBody = z.infer<typeof MergeWorktreeBody>;

/** What a merge would do. */
export const MergePlan = z.object({
  commits: z.int().nonnegative(),
  /** The subjects of the newest commits. */
  subjects: z.array(z.string()),
  /** The files that change in the target branch. */
  files: z.array(z.string()),
  fastForward: z.boolean(),
});
export type MergePlan = z.infer<typeof MergePlan>;
export const MergeWorktreeReply = z.union([
  z.object({ commit: z.string() }),
  /** The reply to a dry run. `dirty`: there are uncommitted changes that wouldn't be included. */
  MergePlan.extend({ dirty: z.boolean() }),
]);
export type MergeWorktreeReply = z.infer<typeof MergeWorktreeReply>;

/** `output` is what git and the user's hooks printed. */
export const PushWorktreeReply = z.object({ remote: z.string(), branch: z.string(), output: z.string() });
export type PushWorktreeReply = z.infer<typeof PushWorktreeReply>;

export const PullRequestBody = z.object({
  title: z.string().trim().min(1).max(1000),
  body: z.string().max(100_000).default(''),
});
export type PullRequestBody = z.output<typeof PullRequestBody>;
export const PullRequestReply = z.object({ url: z.string() });
export type PullRequestReply = z.infer<typeof PullRequestReply>;

/** Sent on the socket when worktrees change. */
export const WorktreeChanged = z.object({
  type: z.literal('worktree:changed'),
  worktrees: z.array(Worktree),
  removed: z.array(z.string()).optional(),
});
export type WorktreeChanged = z.infer<typeof WorktreeChanged>;

export const NamedCommand = z.object({
  name: z.string().trim().min(1).max(100),
  command: z.string().min(1).max(10_000),
});
export type NamedCommand = z.infer<typeof NamedCommand>;

/** The user's settings for one project. No file of the repository can set a command. */
export const ProjectSettings = z.object({
  /** Runs in each new worktree. */
  setupCommand: z.string().max(10_000),
  /** Checks whether a candidate of a comparison is good. */
  checkCommand: z.string().max(10_000),
  /** Where worktrees are created; empty for the data directory. */
  worktreeFolder: z.string().max(4096),
  defaultPlace: z.enum(['folder', 'worktree']),
  commands: z.array(NamedCommand).max(100),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** Missing fields stay unchanged. */
export const ProjectSettingsBody = ProjectSettings.partial();
export type ProjectSettingsBody = z.infer<typeof ProjectSettingsBody>;

/** Where a session works: its project's folder, or a worktree of it. */
export const SessionPlace = z.object({
  kind: z.enum(['folder', 'worktree']),
  folder: z.string().min(1),
  /** Null on a detached HEAD, outside of a repository, and before it was checked. */
  branch: z.string().nullable(),
  worktreeId: z.string().min(1).optional(),
});
export type SessionPlace = z.infer<typeof SessionPlace>;
