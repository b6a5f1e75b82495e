import { z } from 'zod';

const path = z.string().min(1).max(4096);
const worktreeId = z.string().min(1).optional();
const count = z.coerce.number().int().nonnegative();

export const TreeQuery = z.object({ path: z.string().max(4096).optional(), worktreeId });
export type TreeQuery = z.infer<typeof TreeQuery>;

/** One entry of a folder. */
export const TreeEntry = z.object({
  name: z.string(),
  /** Relative to the project's folder, with `/`. */
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.int().nonnegative().optional(),
  /** Git ignores it; only known in a trusted repository. */
  ignored: z.boolean().optional(),
  /** How it changed since the last commit; for a folder, that something in it changed. */
  change: z.enum(['added', 'modified', 'deleted', 'renamed', 'conflicted', 'type']).optional(),
});
export type TreeEntry = z.infer<typeof TreeEntry>;
export const TreeReply = z.object({ entries: z.array(TreeEntry), truncated: z.boolean() });
export type TreeReply = z.infer<typeof TreeReply>;

export const FileQuery = z.object({ path, offset: count.optional(), length: count.optional(), worktreeId });
export type FileQuery = z.infer<typeof FileQuery>;

export const FileReply = z.object({
  path: z.string(),
  /** The exact text without its byte order mark; empty for a binary file. */
  content: z.string(),
  eol: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']),
  bom: z.boolean(),
  size: z.int().nonnegative(),
  binary: z.boolean(),
  /** It can't be saved from here: it's not UTF-8, binary, too large, only a part, or write-protected. */
  readOnly: z.boolean(),
  /** Why it can't. */
  reason: z.string().optional(),
  etag: z.string(),
  /** The byte range of `content` if it is only a part of the file. */
  offset: z.int().nonnegative().optional(),
  end: z.int().nonnegative().optional(),
});
export type FileReply = z.infer<typeof FileReply>;

export const FileAtQuery = z.object({ path, worktreeId });
export type FileAtQuery = z.infer<typeof FileAtQuery>;

const largestText = 8 * 1024 * 1024;
export const SaveFileBody = z.object({ content: z.string().max(largestText) });
export type SaveFileBody = z.infer<typeof SaveFileBody>;
/** Unsaved edits of a file. */
export const FileDraft = z.object({
  text: z.string(),
  /** The etag of the file that the edits started from. */
  etag: z.string(),
  /** Changes with every write. A writer passes the version it has seen. */
  version: z.string(),
  updatedAt: z.string(),
});
export type FileDraft = z.infer<typeof FileDraft>;
export const FileDraftReply = z.object({ draft: FileDraft.nullable() });
export const SaveDraftBody = z.object({
  text: z.string().max(largestText),
  etag: z.string().max(200),
  /** The version of the draft that this one replaces; null if there was none. */
  replaces: z.string().max(100).nullable(),
});
export type SaveDraftBody = z.infer<typeof SaveDraftBody>;
export const SaveDraftReply = z.object({ version: z.string() });
export const RemoveDraftQuery = z.object({ path, worktreeId, version: z.string().min(1).max(100) });
const largestAttachment = 28 * 1024 * 1024;
/** A file that the agent can't receive in a message. It is written to disk and the message refers to it. */
export const AttachFileBody = z.object({
  name: z.string().max(1_000),
  /** Base64. */
  data: z.string().max(largestAttachment),
});
export type AttachFileBody = z.infer<typeof AttachFileBody>;
export const AttachFileReply = z.object({ path: z.string(), size: z.int().nonnegative() });
export const SaveFileHeaders = z.object({
  'if-match': z.string().optional(),
  'if-none-match': z.string().optional(),
});
export const SaveFileReply = z.object({ etag: z.string() });
export const RemoveFileReply = z.object({ undoId: z.string() });
export const UndoFileBody = z.object({ undoId: z.string().min(1).max(100), worktreeId });
export const MoveFileBody = z.object({ from: path, to: path, worktreeId });
export type MoveFileBody = z.infer<typeof MoveFileBody>;

export const GrepBody = z.object({
  query: z.string().min(1).max(1_000),
  regex: z.boolean().optional(),
  /** Case-sensitive. */
  case: z.boolean().optional(),
  /** Only files that match one of these; a leading `!` excludes files. */
  globs: z.array(z.string().min(1).max(200)).max(20).optional(),
  worktreeId,
});
export type GrepBody = z.infer<typeof GrepBody>;
export const GrepMatch = z.object({
  path: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
  text: z.string(),
});
export type GrepMatch = z.infer<typeof GrepMatch>;
/** One match per line; the last line says whether there were more. */
export const GrepLine = z.union([
  GrepMatch,
  z.object({ done: z.literal(true), truncated: z.boolean(), error: z.string().optional() }),
]);
export type GrepLine = z.infer<typeof GrepLine>;
