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

/** A message a user wrote, from its acceptance until it is handed to the agent. */
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
  /** Its message waits until the agent is there: until then it has surely not been sent. */
  readonly awaitsAgent: boolean;
  /** Its `turn_started` was published. */
  readonly started: boolean;
};

/** A message that went into a turn that ran already. */
export type SteeredMessage = {
  /** The turn it begins if it came too late for the one it was meant for. */
  readonly ownTurnId: string;
  readonly item: MessageUpsert;
};

/** One session as the rules see it. Everything here is decided by `decide` and changed by `evolve` alone. */
export type Session = {
  readonly sessionId: string;
  readonly life: SessionState;
  readonly queue: readonly Message[];
  readonly turn: CurrentTurn | null;
  /** A turn the agent began without being handed a message: by itself, or for a steered message that came too late. */
  readonly agentTurn: string | null;
  /**
   * Messages steered into the running turn, or into the last one: an agent that took one too late for its turn answers it
   * in a turn of its own.
   */
  readonly steered: readonly SteeredMessage[];
  readonly permissions: readonly PermissionRequest[];
  /** Ids of requests that were answered or ended lately, so a late answer is not taken for a wrong one. */
  readonly closedPermissions: readonly string[];
  /** Calls the user said no to lately, with their turns: their results are shown as refused, not as failed. */
  readonly refusedCalls: readonly string[];
  readonly lastError: SessionError | null;
  /** Turns are being taken back, or brought back: nothing is sent to the agent meanwhile. */
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

/** The turn whose events flow now, if any. */
export const runningTurnId = (session: Session): string | null => session.turn?.turnId ?? session.agentTurn;

/** The message of this turn waits for the agent, and nobody has stopped it. */
export const awaitsAgent = ({ turn }: Session, turnId: string): boolean =>
  turn?.turnId === turnId && turn.awaitsAgent && turn.phase !== 'cancelling';

export const isBusy = (session: Session): boolean => session.turn !== null || session.agentTurn !== null;

/** The status every reader receives; `isAlive` is the process's own word, not ours. */
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
