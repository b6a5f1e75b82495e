import { ReviewComment } from '@liminal/contracts';
import { z } from 'zod';

/** A comment with what finds its lines again. */
export const CommentRow = ReviewComment.extend({
  sessionId: z.string().min(1),
  /** The text of the commented side when it was written; null where it is too long to be kept. */
  content: z.string().nullable(),
});
export type CommentRow = Readonly<z.infer<typeof CommentRow>>;

/** A folder as it was at one moment. */
export const KeptTree = z.object({
  tree: z.string().min(1),
  /** Keeps the tree from git's own clean-up. */
  ref: z.string().min(1),
  /** What the tree cannot say: bytes git would convert, and permission bits. */
  raw: z.string().nullable().default(null),
  /** How much it added to what is kept, before compression. */
  bytes: z.number().default(0),
  head: z.string().nullable(),
  branch: z.string().nullable(),
  operation: z.string().nullable(),
  at: z.iso.datetime(),
  notKept: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type KeptTree = Readonly<z.infer<typeof KeptTree>>;

/** What a folder looked like before and after a turn. */
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
  /** Of these, the ones other sessions' calls named while the turn ran, and not this session's own. */
  foreign: z.array(z.string()).readonly(),
  pruned: z.boolean(),
});
export type CheckpointRow = Readonly<z.infer<typeof CheckpointRow>>;

/** What a checkpoint takes, without reading all of it. */
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

/** A folder before something was discarded, to bring it back. */
export const UndoRow = z.object({
  sessionId: z.string().min(1),
  undoId: z.string().min(1),
  folder: z.string(),
  /** What it was, and what was left in its place; null where there was no file. */
  files: z.array(
    z.object({
      path: z.string(),
      before: z.object({ id: z.string(), mode: z.int() }).nullable(),
      after: z.object({ id: z.string(), mode: z.int() }).nullable(),
    }),
  ),
  /** What the index held, where that was discarded too. */
  index: z.array(z.object({ path: z.string(), entry: z.object({ mode: z.string(), id: z.string() }).nullable() })),
  ref: z.string().min(1),
  at: z.iso.datetime(),
});
export type UndoRow = Readonly<z.infer<typeof UndoRow>>;

const KeptFile = z.object({ id: z.string(), mode: z.int() }).nullable();

/**
 * Turns taken back, step by step. `planned`: nothing has happened yet. `forked`: the agent has a copy without them, so it
 * will be done, whatever happens. `done`: conversation and files are back. `undoing` and `undone`: the way forward again.
 * `dropped`: it came to nothing.
 */
export const RewindRow = z.object({
  sessionId: z.string().min(1),
  rewindId: z.string().min(1),
  state: z.enum(['planned', 'forked', 'done', 'undoing', 'undone', 'dropped']),
  /** Oldest first. */
  turnIds: z.array(z.string()).readonly(),
  /** The position of the first of them: a turn that begins later is behind it. */
  position: z.int(),
  /** The agent's sessions behind ours before and after; the provider gets them once the row says so. */
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
