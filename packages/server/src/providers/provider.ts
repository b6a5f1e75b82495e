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

/** How an upsert came about, so it needn't be compared with the previous one. */
export type UpsertDetail = {
  /** The upsert only added `text` after this offset. */
  readonly appendedFrom?: number;
  readonly text?: string;
  /** The output of a call grew by this, and something else about the call changed too. */
  readonly grown?: AppendedText;
  /** The agent's own id for the message or call, kept with our item to match a later replay. */
  readonly sourceId?: string;
};

export type UpsertListener = (upsert: UpsertObject, how?: UpsertDetail) => void;
export type TurnListener = (event: TurnEvent) => void;

/** A tool call that is about to happen. */
export type UpcomingCall = {
  readonly turnId: string;
  /** The files it will edit, as the agent names them. */
  readonly edits: readonly string[];
};
/** Holds back a tool call; the call happens in any case once this settles. */
export type CallHold = (call: UpcomingCall) => Promise<void>;

export type PermissionSignal =
  | { readonly state: 'open'; readonly request: PermissionRequest }
  | { readonly state: 'ended'; readonly requestId: string; readonly reason: string };

/** What the session service knows about a session's folder and the user's choices. */
export type ProviderOptions = SessionOptions & {
  /** The user trusts the folder: its own settings, hooks and servers may be used. */
  readonly trusted?: boolean;
  /** Whether the session's last process only planned, if it reported that. */
  readonly isPlanning?: boolean;
};

export type CreateOptions = { readonly projectDir: string; readonly providerOptions?: ProviderOptions };
export type LoadOptions = {
  readonly projectDir?: string;
  /** Another transcript to resume from; ignored where unsupported. */
  readonly viewFilePath?: string;
  readonly providerOptions?: ProviderOptions;
  /** Created here and never sent to: it isn't an error if the agent has no record of it. */
  readonly unused?: boolean;
};
/** How much of a record to read: the newest turns of a large one are available long before the rest. */
export type HistoryOptions = LoadOptions & { readonly newestTurns?: number };

/**
 * `turnId`: the copy's last turn, as `readHistory` names it; `NOT_SUPPORTED` if the agent can't copy a part.
 * `sourceIds`: the agent's own ids of that turn's items, for agents that use those.
 */
export type ForkOptions = LoadOptions & { readonly turnId?: string; readonly sourceIds?: readonly string[] };

/** `earlier`: the agent's sessions from before the copied one that still belong to the conversation. */
export type ForkedSession = ProviderSession & { readonly earlier?: readonly string[] };

/** A session from the agent's own record, through the same translator as live events. */
export type ReplayedHistory = {
  readonly turns: readonly TurnRecord[];
  readonly entries: readonly { readonly upsert: UpsertObject; readonly sourceId?: string }[];
  /** There are older turns than requested. */
  readonly hasMore?: boolean;
};

export type Availability =
  | { readonly available: true; readonly version?: string }
  | { readonly available: false; readonly reason: string };

/** The agent's own sign-in program, run in a terminal. */
export type SignInProgram = { readonly command: string; readonly args: readonly string[] };

/**
 * One kind of agent. The port uses our types; the files behind it use the vendor's. Every failure is a `ProviderError`.
 * Events are held until the first listener. Optional methods go with a capability.
 */
export interface CliProvider {
  readonly cliType: CliType;
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  /** Whether it can start here, and if not, what the user should do. */
  availability(): Promise<Availability>;
  /** Undefined if its program is missing. Absent if there is nothing to sign in to, or no command for it. */
  signInProgram?(): Promise<SignInProgram | undefined>;
  /** A user signed in: processes prepared before don't know it. */
  signedIn?(): Promise<void>;

  createSession(options: CreateOptions): Promise<ProviderSession>;
  /** Loading an open session returns it and starts nothing. */
  loadSession(sessionId: string, options?: LoadOptions): Promise<ProviderSession>;
  /** Resolves once the turn is bound, not at its end. */
  sendMessage(sessionId: string, message: string, options?: SendOptions): Promise<{ turnId: string }>;
  cancelTurn(sessionId: string): Promise<void>;
  /** Ends the process and its children; errors while closing are swallowed. */
  killSession(sessionId: string): Promise<void>;
  isAlive(sessionId: string): boolean;
  /** The process of an open session, to recognise its child processes. */
  processOf?(sessionId: string): number | undefined;
  onUpsert(sessionId: string, listener: UpsertListener): Unsubscribe;
  onTurn(sessionId: string, listener: TurnListener): Unsubscribe;

  /**
   * No tool call happens before this has settled. Without it, an agent gets its messages only when everything is
   * prepared.
   */
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
  /** The content of the agent's own record; for agents that replay on load, the last replay. */
  readHistory?(sessionId: string, options?: HistoryOptions): Promise<ReplayedHistory>;
  /** The session was used elsewhere (in a terminal): its history should be read again. */
  onRecordChanged?(sessionId: string, listener: () => void): Unsubscribe;
  /** Whether this message of ours reached the agent's own record; `null` if that can't be known. */
  wasReceived?(sessionId: string, turnId: string, options?: LoadOptions): Promise<boolean | null>;
  /** Sends into the running turn. An agent that accepts it too late answers it in a turn with the id given here. */
  steer?(sessionId: string, message: string, options?: SendOptions): Promise<void>;
  /** A copy of all turns, or of those up to and including one; never with more rights than the session has. */
  forkSession?(sessionId: string, options?: ForkOptions): Promise<ForkedSession>;
  /** The agent's own sessions behind ours, oldest first; nearly always one. */
  agentIdsOf?(sessionId: string): readonly string[];
  /**
   * From now on these sessions of the agent are behind ours: an open process is ended, and the next load opens the last
   * of them. The replaced ones are never listed as separate sessions.
   */
  rebind?(sessionId: string, agentIds: readonly string[]): Promise<void>;
  /** Removes a turn and all later ones from the conversation, in place; files stay as they are. */
  revert?(sessionId: string, turnId: string, options?: LoadOptions): Promise<void>;
  /** The session has work that sleep would end (background tasks). */
  hasBackgroundWork?(sessionId: string): boolean;
  /**
   * The session was deleted here or left memory: ends its process and drops everything known about it. Listeners are
   * dropped immediately, so those of somebody who opens it again meanwhile stay.
   */
  forgetSession?(sessionId: string): Promise<void>;
  /** The server is stopping: ends every process. */
  close(): Promise<void>;
}
