import type {
  AppendedText,
  CliType,
  DiscoveredSession,
  PermissionAnswer,
  PermissionRequest,
  ProviderCapabilities,
  ProviderSession,
  SendOptions,
  SessionInfo,
  SessionOptions,
  TurnEvent,
  TurnRecord,
  UpsertObject,
} from '@liminal/contracts';
import type { ProviderError } from './provider-error.ts';

export type Unsubscribe = () => void;

/** How an upsert came about, so nobody has to compare it with the one before. */
export type UpsertDetail = {
  /** The upsert only added `text` after this offset. */
  readonly appendedFrom?: number;
  readonly text?: string;
  /** The output of a call grew by this, and something else about the call changed as well. */
  readonly grown?: AppendedText;
  /** The agent's own id of the message or call, kept beside our item to match a later replay. */
  readonly sourceId?: string;
};

export type UpsertListener = (upsert: UpsertObject, how?: UpsertDetail) => void;
export type TurnListener = (event: TurnEvent) => void;

/** A tool call that is about to happen. */
export type UpcomingCall = {
  readonly turnId: string;
  /** The files it says it edits, as the agent names them. */
  readonly edits: readonly string[];
};
/** What a tool call waits for; it happens in any case once this settles. */
export type CallHold = (call: UpcomingCall) => Promise<void>;

export type PermissionSignal =
  | { readonly state: 'open'; readonly request: PermissionRequest }
  | { readonly state: 'ended'; readonly requestId: string; readonly reason: string };

/** What the session service knows of a session's folder and the user's choices. */
export type ProviderOptions = SessionOptions & {
  /** The user trusts the folder: its own settings, hooks and servers may be used. */
  readonly trusted?: boolean;
};

export type CreateOptions = { readonly projectDir: string; readonly providerOptions?: ProviderOptions };
export type LoadOptions = {
  readonly projectDir?: string;
  /** Another transcript to resume from; ignored where unsupported. */
  readonly viewFilePath?: string;
  readonly providerOptions?: ProviderOptions;
  /** Created here and never sent to: that the agent has no record of it is no fault. */
  readonly unused?: boolean;
};
/** How much of a record is wanted: the newest turns of a large one are there long before the rest. */
export type HistoryOptions = LoadOptions & { readonly newestTurns?: number };

/**
 * `turnId`: the last turn the copy has, as `readHistory` names it; where the agent cannot copy a part, that is
 * `NOT_SUPPORTED`. `sourceIds`: the agent's own ids of what was said in that turn, for agents that go by those.
 */
export type ForkOptions = LoadOptions & { readonly turnId?: string; readonly sourceIds?: readonly string[] };

/** `earlier`: the agent's sessions that came before the copied one and still belong to the conversation. */
export type ForkedSession = ProviderSession & { readonly earlier?: readonly string[] };

/** A session as the agent's own record reports it, through the same translator as live events. */
export type ReplayedHistory = {
  readonly turns: readonly TurnRecord[];
  readonly entries: readonly { readonly upsert: UpsertObject; readonly sourceId?: string }[];
  /** There are older turns than the ones asked for. */
  readonly hasMore?: boolean;
};

export type Availability =
  | { readonly available: true; readonly version?: string }
  | { readonly available: false; readonly reason: string };

/** The agent's own way to let a user in, run in a terminal. */
export type SignInProgram = { readonly command: string; readonly args: readonly string[] };

/**
 * One kind of agent. The port speaks our language; the files behind it speak the vendor's. Every failure is a
 * `ProviderError`. Events are held until the first listener. Methods marked optional go with a capability.
 */
export interface CliProvider {
  readonly cliType: CliType;
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /** Can it start here, and if not, what should the user do? */
  availability(): Promise<Availability>;
  /** Undefined when its program is missing. Left out where there is nothing to sign in to, or no command for it. */
  signInProgram?(): Promise<SignInProgram | undefined>;
  /** A user signed in: what waits for use since before does not know it. */
  signedIn?(): Promise<void>;

  createSession(options: CreateOptions): Promise<ProviderSession>;
  /** Loading a session that is open returns it and starts nothing. */
  loadSession(sessionId: string, options?: LoadOptions): Promise<ProviderSession>;
  /** Resolves once the turn is bound; never at the end of the turn. */
  sendMessage(sessionId: string, message: string, options?: SendOptions): Promise<{ turnId: string }>;
  cancelTurn(sessionId: string): Promise<void>;
  /** Ends the process and its children; errors while closing are swallowed. */
  killSession(sessionId: string): Promise<void>;
  isAlive(sessionId: string): boolean;
  /** The process of an open session, by which its own processes are recognised. */
  processOf?(sessionId: string): number | undefined;
  onUpsert(sessionId: string, listener: UpsertListener): Unsubscribe;
  onTurn(sessionId: string, listener: TurnListener): Unsubscribe;

  /** No tool call happens before this has settled. An agent without it gets its messages only when all is prepared. */
  beforeToolCall?(sessionId: string, hold: CallHold): void;
  /** The process is gone without `killSession`; a running turn has had its `turn_error` by then. */
  onClosed?(sessionId: string, listener: (reason: ProviderError) => void): Unsubscribe;
  onPermission?(sessionId: string, listener: (signal: PermissionSignal) => void): Unsubscribe;
  resolvePermission?(sessionId: string, answer: PermissionAnswer): Promise<void>;
  onSessionInfo?(sessionId: string, listener: (info: SessionInfo) => void): Unsubscribe;
  setModel?(sessionId: string, modelId: string): Promise<void>;
  setMode?(sessionId: string, modeId: string): Promise<void>;
  setEffort?(sessionId: string, effort: string): Promise<void>;
  listSessions?(projectDir: string): Promise<readonly DiscoveredSession[]>;
  /** What the agent's own record holds; for agents that replay on load, what the last load replayed. */
  readHistory?(sessionId: string, options?: HistoryOptions): Promise<ReplayedHistory>;
  /** The session was used elsewhere meanwhile (in a terminal): its history should be read again. */
  onRecordChanged?(sessionId: string, listener: () => void): Unsubscribe;
  /** Did this message of ours reach the agent's own record? `null` when that cannot be known. */
  wasReceived?(sessionId: string, turnId: string, options?: LoadOptions): Promise<boolean | null>;
  /** Into the running turn. An agent that takes it too late answers it in a turn with the id given here. */
  steer?(sessionId: string, message: string, options?: SendOptions): Promise<void>;
  /** A copy, of all turns or of those up to and with one; never with more rights than the session has. */
  forkSession?(sessionId: string, options?: ForkOptions): Promise<ForkedSession>;
  /** The agent's own sessions behind ours, oldest first; nearly always one. */
  agentIdsOf?(sessionId: string): readonly string[];
  /**
   * From now on these sessions of the agent are behind ours: an open process is ended, the next load opens the last of
   * them. The ones they replace are never listed as sessions of their own.
   */
  rebind?(sessionId: string, agentIds: readonly string[]): Promise<void>;
  /** Takes a turn and all after it back out of the conversation, in place; files stay as they are. */
  revert?(sessionId: string, turnId: string, options?: LoadOptions): Promise<void>;
  /** The session has work that must not be put to sleep (background tasks). */
  hasBackgroundWork?(sessionId: string): boolean;
  /** The session was deleted here: nothing of it is kept or watched any more. */
  forgetSession?(sessionId: string): Promise<void>;
  /** The server is going: end every process. */
  close(): Promise<void>;
}
