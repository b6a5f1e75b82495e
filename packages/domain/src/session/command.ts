import type { PermissionAnswer } from '@liminal/contracts';
import type { Message } from './session.ts';

/** What a user, or the shell on their behalf, wants of a session. */
export type Command =
  | { readonly type: 'send'; readonly message: Message }
  /** Into the running turn, where there is one; else the same as `send`. */
  | { readonly type: 'steer'; readonly message: Message }
  | { readonly type: 'edit'; readonly turnId: string; readonly content: string }
  | { readonly type: 'withdraw'; readonly turnId: string }
  /** Sends a message again that is not known to have arrived, as a new turn. */
  | { readonly type: 'resend'; readonly turnId: string; readonly message: Message }
  | { readonly type: 'cancel' }
  | { readonly type: 'answer'; readonly answer: PermissionAnswer }
  | { readonly type: 'kill' }
  /** The agent's own record is being read and its process started: until `open` nothing is sent to the agent. */
  | { readonly type: 'load' }
  | { readonly type: 'open' }
  /** Copies the conversation up to and with a turn, or with the last that has ended; changes nothing here. */
  | { readonly type: 'fork'; readonly turnId: string | null }
  /** Turns are about to be taken back: until `end-rewind` nothing is sent to the agent. */
  | { readonly type: 'begin-rewind'; readonly hasBackgroundWork: boolean }
  | { readonly type: 'end-rewind' }
  /** Hand over the next waiting message, if the agent is free. */
  | { readonly type: 'advance' }
  /** The agent is there: this message goes in, unless nobody wants it any more. */
  | { readonly type: 'deliver'; readonly message: Message };
