import { z } from 'zod';

/** ISO 8601, UTC. */
export const IsoTime = z.iso.datetime();
export type IsoTime = z.infer<typeof IsoTime>;

export const ItemStatus = z.enum(['create', 'update', 'complete', 'error']);
export type ItemStatus = z.infer<typeof ItemStatus>;

const itemBase = {
  turnId: z.string().min(1),
  sessionId: z.string().min(1),
  itemId: z.string().min(1),
  /** When the agent's event reached us. */
  sourceTimestamp: IsoTime,
  /** When we emitted this upsert. */
  emittedAt: IsoTime,
  status: ItemStatus,
  errorCode: z.string().optional(),
  errorMessage: z.string().optional(),
  /** Position in the session. The session service assigns it once; readers sort by it, never by arrival. */
  order: z.int().optional(),
  /** The call of the subagent this item belongs to. */
  parentCallId: z.string().optional(),
};

export const MessageOrigin = z.enum(['user', 'agent', 'system']);
export type MessageOrigin = z.infer<typeof MessageOrigin>;

export const Attachment = z.object({
  mimeType: z.string(),
  name: z.string().optional(),
  size: z.int().nonnegative(),
});
export type Attachment = z.infer<typeof Attachment>;

export const MessageUpsert = z.object({
  type: z.literal('message'),
  ...itemBase,
  content: z.string(),
  origin: MessageOrigin,
  attachments: z.array(Attachment).optional(),
});
export type MessageUpsert = z.infer<typeof MessageUpsert>;

export const ThinkingUpsert = z.object({
  type: z.literal('thinking'),
  ...itemBase,
  content: z.string(),
  providerId: z.string().min(1),
});
export type ThinkingUpsert = z.infer<typeof ThinkingUpsert>;

export const ToolKind = z.enum(['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other']);
export type ToolKind = z.infer<typeof ToolKind>;

/**
 * A change of one file. With `oldStart` and `newStart` the texts are whole lines that start there, and more excerpts of
 * the same file may follow. Without them they are what the agent sent, a part or the whole file. Two equal texts mean
 * no change.
 */
export const FileDiff = z.object({
  path: z.string(),
  oldText: z.string().nullable(),
  newText: z.string(),
  /** 1-based number of the first line on each side. */
  oldStart: z.int().positive().optional(),
  newStart: z.int().positive().optional(),
  /** Replaces every occurrence of `oldText` in the file, not only one. */
  everywhere: z.boolean().optional(),
  /** A file exists at this path and would be replaced, but its text can't be shown. */
  overwrites: z.boolean().optional(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** What a call asks the user, and the answer once there is one. */
export const AskedQuestion = z.object({ question: z.string(), answer: z.string().optional() });
export type AskedQuestion = z.infer<typeof AskedQuestion>;

export const FileLocation = z.object({ path: z.string(), line: z.int().nonnegative().optional() });
export type FileLocation = z.infer<typeof FileLocation>;

export const ToolArguments = z.record(z.string(), z.unknown());
export type ToolArguments = z.infer<typeof ToolArguments>;

export const ToolCallUpsert = z.object({
  type: z.literal('tool_call'),
  ...itemBase,
  toolName: z.string().min(1),
  /** May be empty on `create`; `{}` if the JSON is invalid. */
  toolArguments: ToolArguments,
  callId: z.string().min(1),
  toolOutput: z.string().optional(),
  toolOutputIsError: z.boolean().optional(),
  title: z.string().optional(),
  toolKind: ToolKind.optional(),
  diffs: z.array(FileDiff).optional(),
  locations: z.array(FileLocation).optional(),
  /** Only for a call that asks the user something. */
  questions: z.array(AskedQuestion).optional(),
  awaitingPermission: z.boolean().optional(),
  /** The user refused it, and it didn't run. */
  refused: z.boolean().optional(),
  durationMs: z.number().nonnegative().optional(),
  /** The full length if `toolOutput` is shortened. */
  toolOutputLength: z.int().nonnegative().optional(),
});
export type ToolCallUpsert = z.infer<typeof ToolCallUpsert>;

export const PlanEntry = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  priority: z.string().optional(),
});
export type PlanEntry = z.infer<typeof PlanEntry>;

export const PlanUpsert = z.object({ type: z.literal('plan'), ...itemBase, entries: z.array(PlanEntry) });
export type PlanUpsert = z.infer<typeof PlanUpsert>;

/** The full state of one item, never a diff: a reader replaces what it has under the same `itemId`. */
export const UpsertObject = z.discriminatedUnion('type', [MessageUpsert, ThinkingUpsert, ToolCallUpsert, PlanUpsert]);
export type UpsertObject = z.infer<typeof UpsertObject>;

/** Set if an upsert only appended text: `text` starts at `appendedFrom` (UTF-16 units). */
export type AppendedText = { readonly appendedFrom: number; readonly text: string };
