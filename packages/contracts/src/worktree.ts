import { z } from 'zod';
import { IsoTime } from './session/upsert.ts';

/**
 * `creating`: its files are being written. `setup`: the project's setup command runs. `parked`: its work is kept in the
 * repository and its folder is gone. `missing`: its folder is gone without that. `foreign`: made outside, never removed.
 */
export const WorktreeState = z.enum(['creating', 'setup', 'ready', 'failed', 'parked', 'missing', 'foreign']);
export type WorktreeState = z.infer<typeof WorktreeState>;

export const WorktreeProgress = z.object({
  step: z.enum(['files', 'copy', 'setup', 'park', 'restore', 'remove']),
  done: z.int().nonnegative().optional(),
  total: z.int().nonnegative().optional(),
});
export type WorktreeProgress = z.infer<typeof WorktreeProgress>;

/** What the setup command printed and how it ended; `exitCode` is null while it runs and where a signal ended it. */
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
  /** The `clientSessionId` of the session it is being made for, so the caller knows it before the reply. */
  startedFor: z.string().optional(),
  /** Where a session works in it. */
  folder: z.string().min(1),
  branch: z.string().nullable(),
  /** The branch it was made from. */
  base: z.string().nullable(),
  state: WorktreeState,
  progress: WorktreeProgress.optional(),
  /** Why it failed. */
  error: z.string().optional(),
  /** What a user should know of it, as that submodules are empty. */
  notice: z.string().optional(),
  setup: WorktreeSetup.optional(),
  /** Changes that are not committed. */
  dirty: z.boolean(),
  /** Commits that are on no other branch. */
  ahead: z.int().nonnegative(),
  /** Bytes on disk; null before it was measured. */
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
  /** The user has seen that the base has other agent settings than the folder they trust, and wants it. */
  trustConfiguration: z.boolean().optional(),
};

export const CreateWorktreeBody = z
  .object(madeFrom)
  .nullish()
  .transform((body) => body ?? {});
export type CreateWorktreeBody = z.output<typeof CreateWorktreeBody>;
export const CreateWorktreeReply = z.object({ worktreeId: z.string() });

/** Where a new session is to work. */
export const PlaceChoice = z.union([
  z.object({ kind: z.literal('folder') }),
  z.object({ kind: z.literal('worktree'), worktreeId: z.string().min(1) }),
  z.object({ kind: z.literal('worktree'), ...madeFrom }),
]);
export type PlaceChoice = z.infer<typeof PlaceChoice>;

export const BranchesReply = z.object({
  /** Newest first. */
  branches: z.array(z.object({ name: z.string(), current: z.boolean() })),
  /** What a worktree is made from unless set otherwise. */
  base: z.string().nullable(),
});
export type BranchesReply = z.infer<typeof BranchesReply>;

export const RemoveWorktreeQuery = z.object({
  /** Ignored files are deleted knowingly. */
  dropIgnored: z.stringbool().optional(),
});
export type RemoveWorktreeQuery = z.output<typeof RemoveWorktreeQuery>;

export const ParkWorktreeBody = z
  .object({
    /** Says only what would not be kept. */
    dryRun: z.boolean().optional(),
    /** Ignored files that are not kept are deleted knowingly. */
    dropIgnored: z.boolean().optional(),
    /** Ignored files and folders that are kept although they are large. */
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
  /** The branch it was made from unless given. */
  into: branchName.optional(),
  /** Says only what it would come to. */
  dryRun: z.boolean().optional(),
});
export type MergeWorktreeBody = z.infer<typeof MergeWorktreeBody>;

/** What a merge would come to. */
export const MergePlan = z.object({
  commits: z.int().nonnegative(),
  /** The first lines of the newest of them. */
  subjects: z.array(z.string()),
  /** The files it changes in the branch it goes into. */
  files: z.array(z.string()),
  fastForward: z.boolean(),
});
export type MergePlan = z.infer<typeof MergePlan>;
export const MergeWorktreeReply = z.union([
  z.object({ commit: z.string() }),
  /** Of a dry run; `dirty`: there are changes that are not committed and would not be part of it. */
  MergePlan.extend({ dirty: z.boolean() }),
]);
export type MergeWorktreeReply = z.infer<typeof MergeWorktreeReply>;

/** `output` is what git and the user's hooks wrote. */
export const PushWorktreeReply = z.object({ remote: z.string(), branch: z.string(), output: z.string() });
export type PushWorktreeReply = z.infer<typeof PushWorktreeReply>;

export const PullRequestBody = z.object({
  title: z.string().trim().min(1).max(1000),
  body: z.string().max(100_000).default(''),
});
export type PullRequestBody = z.output<typeof PullRequestBody>;
export const PullRequestReply = z.object({ url: z.string() });
export type PullRequestReply = z.infer<typeof PullRequestReply>;

/** The socket's message when worktrees change. */
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

/** What a user set for one project. Every command is theirs: no file of the repository sets one. */
export const ProjectSettings = z.object({
  /** Runs in each new worktree. */
  setupCommand: z.string().max(10_000),
  /** Says whether a candidate of a comparison is good. */
  checkCommand: z.string().max(10_000),
  /** Where worktrees are made; empty for the data directory. */
  worktreeFolder: z.string().max(4096),
  defaultPlace: z.enum(['folder', 'worktree']),
  commands: z.array(NamedCommand).max(100),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** What is left out stays as it is. */
export const ProjectSettingsBody = ProjectSettings.partial();
export type ProjectSettingsBody = z.infer<typeof ProjectSettingsBody>;

/** Where a session works: its project's folder, or a worktree of it. */
export const SessionPlace = z.object({
  kind: z.enum(['folder', 'worktree']),
  folder: z.string().min(1),
  /** Null on a detached HEAD, outside of a repository, and before anybody has looked. */
  branch: z.string().nullable(),
  worktreeId: z.string().min(1).optional(),
});
export type SessionPlace = z.infer<typeof SessionPlace>;
