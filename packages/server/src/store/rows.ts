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
 * What is stored, and what a stored row must look like to be of use: one that looks otherwise is corrupt or of a build
 * to come, and handing it out would break whatever lists it among others.
 *
 * A removed project keeps its row, so adding its folder again brings its sessions back under the same id.
 */
export const ProjectRow = Project.extend({ addedAt: IsoTime, removed: z.boolean() });
export type ProjectRow = Readonly<z.infer<typeof ProjectRow>>;

export const SessionRow = z.object({
  sessionId: z.string().min(1),
  cliType: CliType,
  projectId: z.string().min(1),
  title: z.string(),
  /** A better source is never overwritten by a lesser one: message < agent < person. */
  titleSource: z.enum(['message', 'agent', 'person']),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  archived: z.boolean(),
  life: z.enum(['open', 'dead']),
  lastError: SessionError.nullable(),
  /** Rows of older builds have none. */
  ended: LastEnded.optional(),
  marks: SessionMarks.optional(),
  startedBy: SessionOrigin.optional(),
  /** The id under which a client asked for it, together with its first message. */
  clientSessionId: z.string().min(1).optional(),
  /** Came from a file: no agent has a record of it. */
  imported: z.boolean().optional(),
  /** Where it works; absent for the project's own folder. */
  place: SessionPlace.optional(),
  /** What the user chose, to be applied again whenever the agent starts over. */
  options: SessionOptions,
  /** What the agent last said of itself, so an unopened session can be shown. */
  info: SessionInfo,
});
export type SessionRow = Readonly<z.infer<typeof SessionRow>>;

/** Enough for a list: what an agent says of itself is the most of a row, and there may be thousands. */
export const ListedSessionRow = SessionRow.omit({ info: true });
export type ListedSessionRow = Readonly<z.infer<typeof ListedSessionRow>>;

/**
 * `queued` waits; `sending` was marked as being sent; `running` was taken up; `unknown` is not known to have arrived;
 * `withdrawn` never went in, and stays so its client message id stays known. `rewound` was taken back out of the
 * conversation: it is in no history and no search, but can come back.
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
  /** Place in the history, given when the turn is handed over; a waiting message has none yet. */
  position: z.int().nullable(),
  content: z.string(),
  /** Kept only until the agent has taken the message up. */
  images: z.array(Image).readonly(),
  createdAt: IsoTime,
  clientMessageId: z.string().nullable(),
  /** Marked as being sent while its agent was still starting: as long as this is set, it was not sent. */
  awaitsAgent: z.boolean().optional(),
  started: TurnStarted.nullable(),
  startedAt: IsoTime.nullable(),
  ended: TurnTerminal.nullable(),
  endedAt: IsoTime.nullable(),
  /** What took it back, and what it was and where it was before. */
  rewound: z.object({ rewindId: z.string(), state: TurnRowState, position: z.int().nullable() }).optional(),
});
export type TurnRow = Readonly<z.infer<typeof TurnRow>>;

export type ItemRow = {
  readonly sessionId: string;
  readonly itemId: string;
  readonly turnId: string;
  readonly order: number;
  /** The agent's own id of the message or call. */
  readonly sourceId: string | null;
  /** The number of its last change, as readers received it; null while none was published: it came from a record. */
  readonly change: Cursor | null;
  readonly body: UpsertObject;
};

/** A request nobody has answered yet: what the audit record says of it if no answer ever comes. */
export const OpenRequestRow = PermissionDecision.pick({
  sessionId: true,
  requestId: true,
  turnId: true,
  title: true,
  toolName: true,
});
export type OpenRequestRow = Readonly<z.infer<typeof OpenRequestRow>>;

/** One thing to be made durable: always a whole row in its newest state. */
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
  /** The message became another turn than it was first promised. */
  | {
      readonly type: 'move-client-message';
      readonly sessionId: string;
      readonly clientMessageId: string;
      readonly turnId: string;
    }
  /** The message was not sent after all: the same id may be sent again. */
  | { readonly type: 'remove-client-message'; readonly sessionId: string; readonly clientMessageId: string }
  | {
      readonly type: 'put-output';
      readonly sessionId: string;
      readonly itemId: string;
      readonly output: string;
      /** How long it is kept counts from here. */
      readonly writtenAt: string;
    }
  | { readonly type: 'put-open-request'; readonly row: OpenRequestRow }
  /** Closes the open request it is about. */
  | { readonly type: 'add-decision'; readonly decision: PermissionDecision }
  | { readonly type: 'put-setting'; readonly key: string; readonly value: unknown };
