import type { PermissionAnswer } from '@liminal/contracts';
import type { Message } from './session.ts';

/** What a user, or the shell on their behalf, wants from a session. */
export type Command =
  | { readonly type: 'send'; readonly message: Message }
  /** Sends into the running turn if there is one; otherwise the same as `send`. */
  | { readonly type: 'steer'; readonly message: Message }
  /** Sends a queued message into the running turn. Without one it stays queued. `message` is its copy in that turn. */
  | { readonly type: 'steer-queued'; readonly turnId: string; readonly message: Message }
  | { readonly type: 'edit'; readonly turnId: string; readonly content: string }
  | { readonly type: 'withdraw'; readonly turnId: string }
  /** Resends a message that may not have been delivered, as a new turn. */
  | { readonly type: 'resend'; readonly turnId: string; readonly message: Message }
  | { readonly type: 'cancel' }
  | { readonly type: 'answer'; readonly answer: PermissionAnswer }
  | { readonly type: 'kill' }
  /** The agent's stored conversation is being loaded and its process started: nothing is sent to it until `open`. */
  | { readonly type: 'load' }
  | { readonly type: 'open' }
  /** Copies the conversation up to and including a turn, by default the last that has ended; changes nothing here. */
  | { readonly type: 'fork'; readonly turnId: string | null }
  /** Turns are about to be rewound: nothing is sent to the agent until `end-rewind`. */
  | { readonly type: 'begin-rewind'; readonly hasBackgroundWork: boolean }
  | { readonly type: 'end-rewind' }
  /** Sends the next waiting message, if the agent is free. */
  | { readonly type: 'advance' }
  /** The agent is ready: sends this message, unless it was cancelled meanwhile. */
  | { readonly type: 'deliver'; readonly message: Message };
