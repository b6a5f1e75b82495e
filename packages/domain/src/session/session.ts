import type {
  Image,
  MessageUpsert,
  PermissionRequest,
  QueuedMessage,
  SessionError,
  SessionState,
  SessionActivity,
  SessionStatus,
} from '@liminal/contracts';

/** A user's message, from acceptance until it is sent to the agent. */
export type Message = {
  readonly turnId: string;
  readonly content: string;
  readonly images: readonly Image[];
  readonly createdAt: string;
  readonly state: NonNullable<QueuedMessage['state']>;
};

/** Our own turn, from the moment its message is marked as being sent. */
export type CurrentTurn = {
  readonly turnId: string;
  readonly phase: 'sending' | 'running' | 'cancelling';
  /** Its message waits until the agent is ready: until then it definitely hasn't been sent. */
  readonly awaitsAgent: boolean;
  /** Its `turn_started` was published. */
  readonly started: boolean;
};

/** A message that was sent into a running turn. */
export type SteeredMessage = {
  /** The turn it starts if it came too late for the intended one. */
  readonly ownTurnId: string;
  readonly item: MessageUpsert;
};

/** The state of a session. Only `decide` and `evolve` determine what it contains. */
export type Session = {
  readonly sessionId: string;
  readonly life: SessionState;
  readonly queue: readonly Message[];
  readonly turn: CurrentTurn | null;
  /** A turn the agent started by itself, or for a steered message that came too late. */
  readonly agentTurn: string | null;
  /**
   * Messages steered into the running or the last turn: an agent that gets one too late for its turn answers it in a
   * turn of its own.
   */
  readonly steered: readonly SteeredMessage[];
  readonly permissions: readonly PermissionRequest[];
  /** Ids of recently answered or ended requests, so a late answer isn't taken for a wrong one. */
  readonly closedPermissions: readonly string[];
  /** Recently refused calls, with their turns: their results are shown as refused, not as failed. */
  readonly refusedCalls: readonly string[];
  readonly lastError: SessionError | null;
  /** A rewind, or its undo, is in progress: nothing is sent to the agent meanwhile. */
  readonly isRewinding: boolean;
};

export const newSession = (sessionId: string): Session => ({
  sessionId,
  life: 'open',
  queue: [],
  turn: null,
  agentTurn: null,
  steered: [],
  permissions: [],
  closedPermissions: [],
  refusedCalls: [],
  lastError: null,
  isRewinding: false,
});

/** The turn that is running now, if any. */
export const runningTurnId = (session: Session): string | null => session.turn?.turnId ?? session.agentTurn;

/** The turn that a message can be steered into. It must have been started by the agent. */
export function steerableTurnId({ life, turn, agentTurn }: Session): string | null {
  if (life !== 'open') return null;
  if (turn === null) return agentTurn;
  return turn.phase === 'running' ? turn.turnId : null;
}

/** The message of this turn is waiting for the agent, and hasn't been cancelled. */
export const awaitsAgent = ({ turn }: Session, turnId: string): boolean =>
  turn?.turnId === turnId && turn.awaitsAgent && turn.phase !== 'cancelling';

export const isBusy = (session: Session): boolean => session.turn !== null || session.agentTurn !== null;

/** The status that readers receive; `isAlive` comes from the process. */
export function statusOf(session: Session, isAlive: boolean): SessionStatus {
  return {
    state: session.life,
    activity: activityOf(session, isAlive),
    isAlive,
    ...(session.lastError ? { lastError: session.lastError } : {}),
  };
}

function activityOf(session: Session, isAlive: boolean): SessionActivity {
  if (session.permissions.length > 0) return 'waiting';
  if (isBusy(session)) return 'working';
  return isAlive || session.life === 'dead' ? 'idle' : 'asleep';
}

export const sameStatus = (a: SessionStatus, b: SessionStatus): boolean =>
  a.state === b.state &&
  a.activity === b.activity &&
  a.isAlive === b.isAlive &&
  a.lastError?.at === b.lastError?.at &&
  a.lastError?.code === b.lastError?.code;
