import type {
  FailureCode,
  MessageUpsert,
  PermissionAnswer,
  PermissionRequest,
  SessionError,
  TurnStarted,
  TurnTerminal,
} from '@liminal/contracts';
import type { Message, SteeredMessage } from './session.ts';

/** Why an agent couldn't do something. */
export type AgentError = { readonly code: FailureCode; readonly message: string };

/** What a user did: written to disk before it is acknowledged. */
export type PersonFact =
  | { readonly type: 'message-queued'; readonly message: Message }
  | { readonly type: 'message-edited'; readonly message: Message }
  | { readonly type: 'message-withdrawn'; readonly turnId: string }
  /** Marked as being sent before any of it reaches the agent: sent at most once, even after a crash. */
  | { readonly type: 'message-handed'; readonly message: Message; readonly at: string }
  /** The agent is ready and gets the message next: from now on it may have been delivered. */
  | { readonly type: 'agent-arrived'; readonly message: Message }
  /** Sent into a running turn, as its `place`th additional message. */
  | {
      readonly type: 'message-steered';
      readonly turnId: string;
      readonly place: number;
      readonly message: Message;
      readonly at: string;
    }
  | { readonly type: 'queue-released' }
  | { readonly type: 'cancel-requested'; readonly turnId: string }
  | { readonly type: 'permission-answered'; readonly request: PermissionRequest; readonly answer: PermissionAnswer }
  /** Nothing is sent to the agent until `rewind-ended`; queued messages are held until the user continues. */
  | { readonly type: 'rewind-begun' }
  | { readonly type: 'rewind-ended' }
  | { readonly type: 'session-killed' }
  | { readonly type: 'session-opened' };

/** What an agent or its process did: published first, written later. */
export type AgentFact =
  | { readonly type: 'session-loading' }
  | { readonly type: 'load-failed'; readonly error: SessionError }
  | { readonly type: 'turn-started'; readonly event: TurnStarted; readonly at: string }
  | { readonly type: 'turn-ended'; readonly event: TurnTerminal; readonly at: string }
  /** These messages came too late for the turn they were meant for. The agent answers them in their own turn. */
  | {
      readonly type: 'steering-missed';
      readonly turnId: string;
      readonly messages: readonly SteeredMessage[];
      readonly at: string;
    }
  /** A message shown in the running turn wasn't delivered. */
  | { readonly type: 'steering-failed'; readonly item: MessageUpsert; readonly error: AgentError }
  /** The agent couldn't be stopped: the user may try again. */
  | { readonly type: 'cancel-failed'; readonly turnId: string }
  | { readonly type: 'permission-opened'; readonly request: PermissionRequest }
  | { readonly type: 'permission-ended'; readonly requestId: string; readonly reason: string }
  /** The process is gone, or something happened outside of any turn that the user should know about. */
  | { readonly type: 'process-closed'; readonly error: SessionError };

export type Fact = PersonFact | AgentFact;

/** What the shell must do after a fact is written and published. */
export type Effect =
  /** Starts or resumes the agent for this message, if it isn't running. */
  | { readonly type: 'wake-agent'; readonly message: Message }
  | { readonly type: 'send-message'; readonly message: Message }
  /** `item` shows the message in its turn. */
  | { readonly type: 'steer-message'; readonly message: Message; readonly item: MessageUpsert }
  | { readonly type: 'cancel-turn'; readonly turnId: string }
  | { readonly type: 'resolve-permission'; readonly answer: PermissionAnswer }
  | { readonly type: 'kill-process' };
