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

/** Why an agent could not do something. */
export type AgentError = { readonly code: FailureCode; readonly message: string };

/** What a user did: durable before it is acknowledged. */
export type PersonFact =
  | { readonly type: 'message-queued'; readonly message: Message }
  | { readonly type: 'message-edited'; readonly message: Message }
  | { readonly type: 'message-withdrawn'; readonly turnId: string }
  /** Marked as being sent, before a byte of it reaches the agent: at most once, whatever dies in between. */
  | { readonly type: 'message-handed'; readonly message: Message; readonly at: string }
  /** The agent is there and the message goes in next: from now on it may have arrived. */
  | { readonly type: 'agent-arrived'; readonly message: Message }
  /** Goes into a turn that runs already, as its `place`th further message. */
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
  /** Nothing is sent to the agent until it has ended; queued messages are held until the user continues. */
  | { readonly type: 'rewind-begun' }
  | { readonly type: 'rewind-ended' }
  | { readonly type: 'session-killed' }
  | { readonly type: 'session-opened' };

/** What an agent or its process did: published first, written behind. */
export type AgentFact =
  | { readonly type: 'session-loading' }
  | { readonly type: 'load-failed'; readonly error: SessionError }
  | { readonly type: 'turn-started'; readonly event: TurnStarted; readonly at: string }
  | { readonly type: 'turn-ended'; readonly event: TurnTerminal; readonly at: string }
  /** The agent answers these in a turn of their own: they came too late for the turn they were meant for. */
  | {
      readonly type: 'steering-missed';
      readonly turnId: string;
      readonly messages: readonly SteeredMessage[];
      readonly at: string;
    }
  /** A message shown in the running turn did not get there. */
  | { readonly type: 'steering-failed'; readonly item: MessageUpsert; readonly error: AgentError }
  /** The agent could not be stopped: the user may try again. */
  | { readonly type: 'cancel-failed'; readonly turnId: string }
  | { readonly type: 'permission-opened'; readonly request: PermissionRequest }
  | { readonly type: 'permission-ended'; readonly requestId: string; readonly reason: string }
  /** The process is gone, or did something that concerns the user outside of any turn. */
  | { readonly type: 'process-closed'; readonly error: SessionError };

export type Fact = PersonFact | AgentFact;

/** What the shell must do about a fact, once it is written and published. */
export type Effect =
  /** Starts or resumes the agent for this message, if it is not there. */
  | { readonly type: 'wake-agent'; readonly message: Message }
  | { readonly type: 'send-message'; readonly message: Message }
  /** The item shows the message in its turn. */
  | { readonly type: 'steer-message'; readonly message: Message; readonly item: MessageUpsert }
  | { readonly type: 'cancel-turn'; readonly turnId: string }
  | { readonly type: 'resolve-permission'; readonly answer: PermissionAnswer }
  | { readonly type: 'kill-process' };
