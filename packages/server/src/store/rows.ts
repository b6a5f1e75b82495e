import type {
  CliType,
  Cursor,
  Image,
  PermissionDecision,
  Project,
  SessionError,
  SessionInfo,
  SessionOptions,
  TurnStarted,
  TurnTerminal,
  UpsertObject,
} from '@liminal/contracts';

/** A removed project keeps its row, so that adding its folder again brings its sessions back under the same id. */
export type ProjectRow = Project & { readonly addedAt: string; readonly removed: boolean };

export type SessionRow = {
  readonly sessionId: string;
  readonly cliType: CliType;
  readonly projectId: string;
  readonly title: string;
  /** A better source is never overwritten by a lesser one: message < agent < person. */
  readonly titleSource: 'message' | 'agent' | 'person';
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archived: boolean;
  readonly life: 'open' | 'dead';
  readonly lastError: SessionError | null;
  /** What the person chose, to be applied again whenever the agent starts anew. */
  readonly options: SessionOptions;
  /** What the agent last said of itself, so that an unopened session can be shown. */
  readonly info: SessionInfo;
};

/**
 * `queued` waits; `sending` was marked as being sent; `running` was taken up; `unknown` is not known to have arrived;
 * `withdrawn` never went in, and stays so that its client message id stays known.
 */
export type TurnRowState =
  | 'queued'
  | 'sending'
  | 'running'
  | 'completed'
  | 'cancelled'
  | 'failed'
  | 'unknown'
  | 'withdrawn';

export type TurnRow = {
  readonly sessionId: string;
  readonly turnId: string;
  readonly state: TurnRowState;
  /** Place in the history, given when the turn is handed over; a waiting message has none yet. */
  readonly position: number | null;
  readonly content: string;
  /** Kept only until the agent has taken the message up. */
  readonly images: readonly Image[];
  readonly createdAt: string;
  readonly clientMessageId: string | null;
  /** Marked as being sent while its agent was still starting: as long as this stands, it was not sent. */
  readonly awaitsAgent?: boolean;
  readonly started: TurnStarted | null;
  readonly startedAt: string | null;
  readonly ended: TurnTerminal | null;
  readonly endedAt: string | null;
};

export type ItemRow = {
  readonly sessionId: string;
  readonly itemId: string;
  readonly turnId: string;
  readonly order: number;
  /** The agent's own id of the message or call. */
  readonly sourceId: string | null;
  /** The number of its last change, as readers were told it; null while none was told: it came in by a record. */
  readonly change: Cursor | null;
  readonly body: UpsertObject;
};

/** A request nobody has answered yet: what the audit record says of it if no answer ever comes. */
export type OpenRequestRow = Pick<PermissionDecision, 'sessionId' | 'requestId' | 'turnId' | 'title' | 'toolName'>;

/** One thing to be made durable: always a whole row in its newest state. */
export type StoreWrite =
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
  | { readonly type: 'put-output'; readonly sessionId: string; readonly itemId: string; readonly output: string }
  | { readonly type: 'put-open-request'; readonly row: OpenRequestRow }
  /** Closes the open request it is about. */
  | { readonly type: 'add-decision'; readonly decision: PermissionDecision }
  | { readonly type: 'put-setting'; readonly key: string; readonly value: unknown };
