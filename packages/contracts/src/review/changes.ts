import { z } from 'zod';

/** Which changes a list is about. `staged` and `unstaged` together are `uncommitted`. */
export const ChangeScope = z.enum(['turn', 'session', 'uncommitted', 'staged', 'unstaged', 'base']);
export type ChangeScope = z.infer<typeof ChangeScope>;

/**
 * Why a list may not show everything, with a sentence for the user. These aren't failures: the rest of the list is
 * valid.
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
  /** Missing if not counted: a binary file, or a very long list. */
  additions: z.int().nonnegative().optional(),
  deletions: z.int().nonnegative().optional(),
  binary: z.boolean(),
  /** In bytes; for a deleted file, its size before. */
  size: z.number().nonnegative(),
  /** False if this session didn't touch it: the user, another session or another program did. */
  bySession: z.boolean(),
  /** How much of it is in the index. */
  staged: z.enum(['no', 'partly', 'yes']),
  /** Ids of the content on each side, to detect later changes; null if the file doesn't exist on that side. */
  oldId: z.string().nullable(),
  newId: z.string().nullable(),
  /** Only for files that aren't regular. */
  kind: z.enum(['link', 'submodule']).optional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A file that a checkpoint records by name only, and why. It can't be compared or restored. */
export const NotKeptFile = z.object({ path: z.string(), reason: z.string() });
export type NotKeptFile = z.infer<typeof NotKeptFile>;

export const CheckpointState = z.enum(['kept', 'running', 'none', 'pruned']);
export type CheckpointState = z.infer<typeof CheckpointState>;

export const ChangesQuery = z.object({
  scope: ChangeScope.default('uncommitted'),
  /** The newest turn by default. */
  turnId: z.string().min(1).optional(),
  /** The branch or commit to compare with, for scope `base`; the default branch by default. */
  base: z.string().min(1).max(1000).optional(),
});
export type ChangesQuery = z.infer<typeof ChangesQuery>;

export const ChangesReply = z.object({
  /**
   * `git`: the project's repository. `shadow`: our own repository of a folder without git. `calls`: only the edits that
   * the agent reported, if git can't be used.
   */
  source: z.enum(['git', 'shadow', 'calls']),
  /** The most important of `notices`. */
  notice: ChangesNotice.optional(),
  notices: z.array(ChangesNotice),
  folder: z.string(),
  /** Null on a detached HEAD, and without git. */
  branch: z.string().nullable(),
  /** What scope `base` compares with. */
  base: z.string().optional(),
  /** The turn of scope `turn`. */
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
 * The folder of a session may have changed: reload any list that is shown. `watching` says what the server watches:
 * `folder` every file, `repository` only git's own files (too many folders, or the system's limit of watches is
 * reached: refresh on focus, and offer a button), `off` nothing.
 */
export const FolderChanged = z.object({ at: z.iso.datetime(), watching: z.enum(['folder', 'repository', 'off']) });
export type FolderChanged = z.infer<typeof FolderChanged>;

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

export const ChangedFileQuery = ChangesQuery.extend({
  path: z.string().min(1).max(10_000),
  /** Unchanged lines around a change; 3 by default. */
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
  /** A unified diff of this file; missing if it is binary or too large. */
  patch: z.string().optional(),
  hunks: z.array(PatchHunk),
  binary: z.boolean(),
  tooLarge: z.boolean(),
  oldSize: z.number().nonnegative().optional(),
  newSize: z.number().nonnegative().optional(),
});
export type ChangedFileReply = z.infer<typeof ChangedFileReply>;

/** A hunk as `changes/file` returned it. If the file has changed since, the server rejects it with `STALE`. */
export const HunkChoice = z.object({
  path: z.string().min(1),
  oldId: z.string().nullable(),
  newId: z.string().nullable(),
  hunk: z.int().nonnegative(),
  /** The number of context lines it was shown with. */
  context: z.int().min(0).max(1_000_000).default(3),
  /** How it was shown. A hunk shown with `ignore` is refused: it isn't a hunk of the full patch. */
  whitespace: z.enum(['show', 'ignore']).optional(),
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

/** `uncommitted` restores paths to the last commit, in the index too; `unstaged` restores them to the index. */
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
  /** All changes, including new files. */
  all: z.boolean().optional(),
  paths: paths.optional(),
  amend: z.boolean().optional(),
  skipHooks: z.boolean().optional(),
});
export type CommitBody = z.infer<typeof CommitBody>;
/** `output` is what git and the hooks printed. */
export const CommitReply = z.object({ commit: z.string(), output: z.string() });
export type CommitReply = z.infer<typeof CommitReply>;
