import { z } from 'zod';

/** What a list of changes is about. `staged` and `unstaged` are the two halves of `uncommitted`. */
export const ChangeScope = z.enum(['turn', 'session', 'uncommitted', 'staged', 'unstaged', 'base']);
export type ChangeScope = z.infer<typeof ChangeScope>;

/**
 * Why a list is not all a user might expect, with a sentence for them. Nothing here is a failure: the rest of the list
 * counts.
 */
export const ChangesNoticeCode = z.enum([
  'PROJECT_NOT_TRUSTED',
  'NOT_A_REPOSITORY',
  'GIT_MISSING',
  'GIT_FAILED',
  'GIT_BUSY',
  'NO_COMMIT',
  'NO_BASE',
  'NO_CHECKPOINT',
  'NESTED_REPOSITORY',
  'SUBMODULE',
  'SPARSE',
  'LFS',
]);
export type ChangesNoticeCode = z.infer<typeof ChangesNoticeCode>;
export const ChangesNotice = z.object({ code: ChangesNoticeCode, message: z.string() });
export type ChangesNotice = z.infer<typeof ChangesNotice>;

export const ChangeKind = z.enum(['added', 'modified', 'deleted', 'renamed', 'conflicted', 'type']);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** A file that differs. Paths are relative to the project's folder. */
export const ChangedFile = z.object({
  path: z.string(),
  oldPath: z.string().optional(),
  change: ChangeKind,
  /** Left out where nobody counted: a binary file, or a very long list. */
  additions: z.int().nonnegative().optional(),
  deletions: z.int().nonnegative().optional(),
  binary: z.boolean(),
  /** In bytes; of a deleted file, what it was. */
  size: z.number().nonnegative(),
  /** False where this session did not touch it: the user, another session or another program did. */
  bySession: z.boolean(),
  /** How much of it is in the index. */
  staged: z.enum(['no', 'partly', 'yes']),
  /** The content on either side, for "did it change since I looked?"; null where there is none. */
  oldId: z.string().nullable(),
  newId: z.string().nullable(),
  /** What it is, when it is no ordinary file. */
  kind: z.enum(['link', 'submodule']).optional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A file a checkpoint knows by name only, and why. It cannot be compared or brought back. */
export const NotKeptFile = z.object({ path: z.string(), reason: z.string() });
export type NotKeptFile = z.infer<typeof NotKeptFile>;

export const CheckpointState = z.enum(['kept', 'running', 'none', 'pruned']);
export type CheckpointState = z.infer<typeof CheckpointState>;

export const ChangesQuery = z.object({
  scope: ChangeScope.default('uncommitted'),
  /** The newest turn unless given. */
  turnId: z.string().min(1).optional(),
  /** The branch or commit to compare with, for scope `base`; the default branch unless given. */
  base: z.string().min(1).max(1000).optional(),
});
export type ChangesQuery = z.infer<typeof ChangesQuery>;

export const ChangesReply = z.object({
  /** `git`: the tree itself. `calls`: only what the agent's edit calls said, where git cannot be asked. */
  source: z.enum(['git', 'shadow', 'calls']),
  /** The most important of `notices`. */
  notice: ChangesNotice.optional(),
  notices: z.array(ChangesNotice),
  folder: z.string(),
  /** Null on a detached HEAD, and where there is no git. */
  branch: z.string().nullable(),
  /** What scope `base` compares with. */
  base: z.string().optional(),
  /** The turn that scope `turn` is about. */
  turnId: z.string().optional(),
  checkpoint: CheckpointState,
  total: z.int().nonnegative(),
  /** Not all of `total` are listed; conflicts and this session's files come first. */
  truncated: z.boolean(),
  files: z.array(ChangedFile),
  notKept: z.array(NotKeptFile),
});
export type ChangesReply = z.infer<typeof ChangesReply>;

/**
 * The folder of a session may have changed: a list that is shown should be asked for again. `watching` says what the
 * server notices: `folder` every file, `repository` only git's own (too many folders, or the system allows no more
 * watches: refresh on focus, and offer a button), `off` nothing.
 */
export const FolderChanged = z.object({ at: z.iso.datetime(), watching: z.enum(['folder', 'repository', 'off']) });
export type FolderChanged = z.infer<typeof FolderChanged>;

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

export const ChangedFileQuery = ChangesQuery.extend({
  path: z.string().min(1).max(10_000),
  /** Unchanged lines around a change; 3 unless given. */
  context: z.coerce.number().int().min(0).max(1_000_000).default(3),
  whitespace: z.enum(['show', 'ignore']).default('show'),
  /** Shows a patch beyond the usual limit. */
  full: flag.optional(),
});
export type ChangedFileQuery = z.infer<typeof ChangedFileQuery>;

export const PatchHunk = z.object({
  /** Its index in `patch`. */
  hunk: z.int().nonnegative(),
  oldStart: z.int().nonnegative(),
  oldLines: z.int().nonnegative(),
  newStart: z.int().nonnegative(),
  newLines: z.int().nonnegative(),
});
export type PatchHunk = z.infer<typeof PatchHunk>;

export const ChangedFileReply = z.object({
  path: z.string(),
  oldPath: z.string().optional(),
  oldId: z.string().nullable(),
  newId: z.string().nullable(),
  /** A unified diff of this one file; absent where it is binary or too large. */
  patch: z.string().optional(),
  hunks: z.array(PatchHunk),
  binary: z.boolean(),
  tooLarge: z.boolean(),
  oldSize: z.number().nonnegative().optional(),
  newSize: z.number().nonnegative().optional(),
});
export type ChangedFileReply = z.infer<typeof ChangedFileReply>;

/** A hunk as `changes/file` showed it. What is not as it was shown is refused with `STALE`. */
export const HunkChoice = z.object({
  path: z.string().min(1),
  oldId: z.string().nullable(),
  newId: z.string().nullable(),
  hunk: z.int().nonnegative(),
  /** With how many lines of context it was shown. */
  context: z.int().min(0).max(1_000_000).default(3),
});
export type HunkChoice = z.infer<typeof HunkChoice>;

const paths = z.array(z.string().min(1).max(10_000)).max(10_000);
const chosen = { paths: paths.optional(), hunks: z.array(HunkChoice).max(1000).optional() };
const isSomething = (body: { readonly paths?: unknown[] | undefined; readonly hunks?: unknown[] | undefined }) =>
  (body.paths?.length ?? 0) + (body.hunks?.length ?? 0) > 0;
const nothingChosen = { path: ['paths'], message: 'Give paths or hunks' };

export const StageBody = z.object(chosen).refine(isSomething, nothingChosen);
export type StageBody = z.infer<typeof StageBody>;
export const StageReply = z.object({ files: z.array(z.string()) });
export type StageReply = z.infer<typeof StageReply>;

/** `uncommitted` brings paths back to the last commit, in the index too; `unstaged` brings them back to the index. */
export const DiscardBody = z
  .object({ ...chosen, scope: z.enum(['unstaged', 'uncommitted']).default('unstaged') })
  .refine(isSomething, nothingChosen);
export type DiscardBody = z.infer<typeof DiscardBody>;
export const DiscardReply = z.object({ files: z.array(z.string()), undoId: z.string() });
export type DiscardReply = z.infer<typeof DiscardReply>;
export const UndoBody = z.object({ undoId: z.string().min(1).max(200) });
export type UndoBody = z.infer<typeof UndoBody>;

export const CommitBody = z.object({
  message: z.string().max(100_000),
  /** Everything that changed, new files too. */
  all: z.boolean().optional(),
  paths: paths.optional(),
  amend: z.boolean().optional(),
  skipHooks: z.boolean().optional(),
});
export type CommitBody = z.infer<typeof CommitBody>;
/** `output` is what git and the hooks wrote. */
export const CommitReply = z.object({ commit: z.string(), output: z.string() });
export type CommitReply = z.infer<typeof CommitReply>;
