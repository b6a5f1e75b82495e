import { ReviewComment } from '@liminal/contracts';
import { z } from 'zod';

/** A comment, with the context that locates its lines again. */
export const CommentRow = ReviewComment.extend({
  sessionId: z.string().min(1),
  /** The commented side's text when the comment was written; null when it is too long to keep. */
  content: z.string().nullable(),
});
export type CommentRow = Readonly<z.infer<typeof CommentRow>>;

/** A folder at one moment. */
export const KeptTree = z.object({
  tree: z.string().min(1),
  /** Protects the tree from git's garbage collection. */
  ref: z.string().min(1),
  /** What the tree can't hold: bytes git would convert, and permission bits. */
  raw: z.string().nullable().default(null),
  /** How much it added to the stored data, before compression. */
  bytes: z.number().default(0),
  head: z.string().nullable(),
  branch: z.string().nullable(),
  operation: z.string().nullable(),
  at: z.iso.datetime(),
  notKept: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Differs between two trees if files may have been hidden or revealed by other means than rules in the tree. */
  ignoreState: z.string().nullable().default(null),
});
export type KeptTree = Readonly<z.infer<typeof KeptTree>>;

/** A folder before and after a turn. */
export const CheckpointRow = z.object({
  sessionId: z.string().min(1),
  turnId: z.string().min(1),
  /** The project's folder, and the git directory that holds the trees. */
  folder: z.string(),
  gitDir: z.string(),
  before: KeptTree.nullable(),
  after: KeptTree.nullable(),
  /** The paths that differ between the two, relative to the folder. */
  paths: z.array(z.string()).readonly(),
  /** Of these, the paths that other sessions' calls named while the turn ran and this session's calls didn't. */
  foreign: z.array(z.string()).readonly(),
  pruned: z.boolean(),
});
export type CheckpointRow = Readonly<z.infer<typeof CheckpointRow>>;

/** How much space a checkpoint takes, without reading all of it. */
export const CheckpointSize = z.object({
  sessionId: z.string(),
  turnId: z.string(),
  folder: z.string(),
  gitDir: z.string(),
  at: z.string(),
  bytes: z.number(),
});
export type CheckpointSize = Readonly<z.infer<typeof CheckpointSize>>;

export function sizeOfCheckpoint({ sessionId, turnId, folder, gitDir, before, after }: CheckpointRow): CheckpointSize {
  const bytes = (before?.bytes ?? 0) + (after?.bytes ?? 0);
  return { sessionId, turnId, folder, gitDir, at: after?.at ?? before?.at ?? '', bytes };
}

/** When a checkpoint's turn ran; `after` is null until it has ended. */
export const CheckpointTimes = z.object({ sessionId: z.string(), before: z.string(), after: z.string().nullable() });
export type CheckpointTimes = Readonly<z.infer<typeof CheckpointTimes>>;

/** A folder before something was discarded, to restore it. */
export const UndoRow = z.object({
  sessionId: z.string().min(1),
  undoId: z.string().min(1),
  folder: z.string(),
  /** Each file's old content and what replaced it; null where there was no file. */
  files: z.array(
    z.object({
      path: z.string(),
      before: z.object({ id: z.string(), mode: z.int() }).nullable(),
      after: z.object({ id: z.string(), mode: z.int() }).nullable(),
    }),
  ),
  /** The index entries, where those were discarded too. */
  index: z.array(z.object({ path: z.string(), entry: z.object({ mode: z.string(), id: z.string() }).nullable() })),
  ref: z.string().min(1),
  at: z.iso.datetime(),
});
export type UndoRow = Readonly<z.infer<typeof UndoRow>>;

const KeptFile = z.object({ id: z.string(), mode: z.int() }).nullable();

/**
 * A rewind, step by step. `planned`: nothing has happened yet. `forked`: the agent has a copy without the turns, so the
 * rewind will be completed. `done`: conversation and files are rewound. `undoing` and `undone`: they are being
 * restored, or are. `dropped`: the rewind was abandoned.
 */
export const RewindRow = z.object({
  sessionId: z.string().min(1),
  rewindId: z.string().min(1),
  state: z.enum(['planned', 'forked', 'done', 'undoing', 'undone', 'dropped']),
  /** Oldest first. */
  turnIds: z.array(z.string()).readonly(),
  /** The position of the first of them; turns that start later come after it. */
  position: z.int(),
  /** The agent's sessions behind ours before and after; the provider gets them once this row is written. */
  agentBefore: z.array(z.string()).readonly(),
  agentAfter: z.array(z.string()).readonly(),
  isBound: z.boolean(),
  folder: z.string().nullable(),
  files: z.array(z.object({ path: z.string(), from: KeptFile, to: KeptFile })).readonly(),
  at: z.iso.datetime(),
});
export type RewindRow = Readonly<z.infer<typeof RewindRow>>;

export type ReviewWrite =
  | { readonly type: 'put-rewind'; readonly row: RewindRow }
  | { readonly type: 'put-comment'; readonly row: CommentRow }
  | { readonly type: 'remove-comment'; readonly sessionId: string; readonly commentId: string }
  | { readonly type: 'put-checkpoint'; readonly row: CheckpointRow }
  | { readonly type: 'put-undo'; readonly row: UndoRow };
