import {
  CliType,
  type Cursor,
  Image,
  IsoTime,
  LastEnded,
  PermissionDecision,
  Project,
  SessionError,
  SessionInfo,
  SessionMarks,
  SessionOrigin,
  SessionOptions,
  SessionPlace,
  TurnStarted,
  TurnTerminal,
  type UpsertObject,
} from '@liminal/contracts';
import { z } from 'zod';
import type { ReviewWrite } from './review-rows.ts';
import type { WebhookWrite } from './webhook-rows.ts';
import type { CompareWrite } from './compare-rows.ts';
import type { WorktreeWrite } from './worktree-rows.ts';

/**
 * Stored rows, and the shape one must have to be usable. A row with another shape is corrupt or from a newer build;
 * returning it would break every list it is in.
 * A removed project keeps its row, so adding its folder again brings its sessions back under the same id.
 */
export const ProjectRow = Project.extend({ addedAt: IsoTime, removed: z.boolean() });
export type ProjectRow = Readonly<z.infer<typeof ProjectRow>>;

export const SessionRow = z.object({
  sessionId: z.string().min(1),
  cliType: CliType,
  projectId: z.string().min(1),
  title: z.string(),
  /** A title never replaces one from a better source: message < agent < person. */
  titleSource: z.enum(['message', 'agent', 'person']),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  archived: z.boolean(),
  life: z.enum(['open', 'dead']),
  lastError: SessionError.nullable(),
  /** Missing in rows of older builds. */
  ended: LastEnded.optional(),
  marks: SessionMarks.optional(),
  startedBy: SessionOrigin.optional(),
  /** The id a client created the session with, together with its first message. */
  clientSessionId: z.string().min(1).optional(),
  /** Imported from a file: no agent has a record of it. */
  imported: z.boolean().optional(),
  /** Where it works; absent for the project's own folder. */
  place: SessionPlace.optional(),
  /** The user's choices, applied again whenever the agent restarts. */
  options: SessionOptions,
  /** What the agent last reported about itself, so an unopened session can be shown. */
  info: SessionInfo,
});
export type SessionRow = Readonly<z.infer<typeof SessionRow>>;

/** Enough for a list: `info` is the largest part of a row, and there may be thousands of rows. */
export const ListedSessionRow = SessionRow.omit({ info: true });
export type ListedSessionRow = Readonly<z.infer<typeof ListedSessionRow>>;

/**
 * `queued` waits. `sending` was marked as being sent. `running` was accepted by the agent. `unknown` may not have
 * arrived. `withdrawn` was never sent, and stays so its client message id stays known. `rewound` was removed from the
 * conversation: no history or search shows it, but it can be restored.
 */
const TurnRowState = z.enum([
  'queued',
  'sending',
  'running',
  'completed',
  'cancelled',
  'failed',
  'unknown',
  'withdrawn',
  'rewound',
]);
export type TurnRowState = z.infer<typeof TurnRowState>;

export const TurnRow = z.object({
  sessionId: z.string().min(1),
  turnId: z.string().min(1),
  state: TurnRowState,
  /** Position in the history, assigned when the turn is sent; a waiting message has none yet. */
  position: z.int().nullable(),
  content: z.string(),
  /** Kept only until the agent has accepted the message. */
  images: z.array(Image).readonly(),
  createdAt: IsoTime,
  clientMessageId: z.string().nullable(),
  /** Marked as being sent while its agent was still starting. While this is set, the message wasn't sent. */
  awaitsAgent: z.boolean().optional(),
  started: TurnStarted.nullable(),
  startedAt: IsoTime.nullable(),
  ended: TurnTerminal.nullable(),
  endedAt: IsoTime.nullable(),
  /** The rewind that removed it, and its earlier state and position. */
  rewound: z.object({ rewindId: z.string(), state: TurnRowState, position: z.int().nullable() }).optional(),
});
export type TurnRow = Readonly<z.infer<typeof TurnRow>>;

export type ItemRow = {
  readonly sessionId: string;
  readonly itemId: string;
  readonly turnId: string;
  readonly order: number;
  /** The agent's own id for the message or call. */
  readonly sourceId: string | null;
  /** The number of its last change, as readers received it; null if it came from a record and was never published. */
  readonly change: Cursor | null;
  readonly body: UpsertObject;
};

/** A request nobody has answered yet: the audit record's entry if no answer ever comes. */
export const OpenRequestRow = PermissionDecision.pick({
  sessionId: true,
  requestId: true,
  turnId: true,
  title: true,
  toolName: true,
});
export type OpenRequestRow = Readonly<z.infer<typeof OpenRequestRow>>;

/** One thing to make durable: always a full row in its newest state. */
export type StoreWrite =
  | ReviewWrite
  | WebhookWrite
  | WorktreeWrite
  | CompareWrite
  | { readonly type: 'put-project'; readonly row: ProjectRow }
  | { readonly type: 'put-session'; readonly row: SessionRow }
  | { readonly type: 'remove-session'; readonly sessionId: string }
  | { readonly type: 'put-turn'; readonly row: TurnRow }
  | { readonly type: 'put-item'; readonly row: ItemRow }
  | {
      readonly type: 'put-client-message';
      readonly sessionId: string;
      readonly clientMessageId: string;
      readonly turnId: string;
    }
  /** The message became a different turn than first announced. */
  | {
      readonly type: 'move-client-message';
      readonly sessionId: string;
      readonly clientMessageId: string;
      readonly turnId: string;
    }
  /** The message wasn't sent after all: the same id may be sent again. */
  | { readonly type: 'remove-client-message'; readonly sessionId: string; readonly clientMessageId: string }
  | {
      readonly type: 'put-output';
      readonly sessionId: string;
      readonly itemId: string;
      readonly output: string;
      /** Retention counts from here. */
      readonly writtenAt: string;
    }
  | { readonly type: 'put-open-request'; readonly row: OpenRequestRow }
  /** Closes the open request it decides. */
  | { readonly type: 'add-decision'; readonly decision: PermissionDecision }
  | { readonly type: 'put-setting'; readonly key: string; readonly value: unknown };
