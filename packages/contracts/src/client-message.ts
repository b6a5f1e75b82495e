import { z } from 'zod';
import { BridgeInvoke } from './bridge/bridge.ts';
import { TerminalClientMessage } from './terminal.ts';

/** How far a reader has read: `seq` counts changes within one `epoch` of the numbering. */
export const Cursor = z.object({ epoch: z.string().min(1), seq: z.int().nonnegative() });
export type Cursor = z.infer<typeof Cursor>;

export const Encoding = z.enum(['full', 'append']);
export type Encoding = z.infer<typeof Encoding>;

const sessionId = z.string().min(1);

/** Everything a browser may send on the socket. One socket carries any number of sessions and terminals. */
export const ClientMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session:subscribe'),
    sessionId,
    cursor: Cursor.optional(),
    encoding: Encoding.optional(),
  }),
  z.object({ type: z.literal('session:unsubscribe'), sessionId }),
  z.object({ type: z.literal('session:item'), sessionId, itemId: z.string().min(1) }),
  /**
   * Opens or closes a review: while it's open, `session:changes` reports changes in the folder. Ends with the
   * connection.
   */
  z.object({ type: z.literal('session:watch'), sessionId, watching: z.boolean() }),
  z.object({ type: z.literal('directory:subscribe') }),
  /** Subscribes to changes of worktrees and comparisons. */
  z.object({ type: z.literal('worktrees:subscribe') }),
  z.object({ type: z.literal('ping') }),
  BridgeInvoke,
  ...TerminalClientMessage.options,
]);
export type ClientMessage = z.infer<typeof ClientMessage>;
