import { ok, type Result } from '@liminal/contracts';
import type { Command } from '@liminal/domain/session/command';
import { runningTurnId, type Message, type Session } from '@liminal/domain/session/session';
import type { StoreWrite } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

export type Handled = {
  /** Settles when the agent has been told, too. */
  readonly performed: Promise<void>;
};

export type Sent = Handled & { readonly turnId: string };

export type SendingDeps = {
  readonly sessionId: string;
  readonly session: () => Session;
  readonly store: Store;
  /** Runs a task in its place among the other things of the session. */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  readonly settle: (
    command: Command,
    writes?: readonly StoreWrite[],
    clientMessageId?: string | null,
  ) => Promise<Result<Handled>>;
};

/** How a person's message comes into a session: as the next turn, or into the running one. */
export function createSending({ sessionId, session, store, run, settle }: SendingDeps) {
  const isOwnTurn = ({ turnId }: Message): boolean =>
    session().queue.some((queued) => queued.turnId === turnId) || session().turn?.turnId === turnId;

  return {
    /** The same client message id again is the same message: it returns the same turn and sends nothing. */
    send: (message: Message, clientMessageId: string | null, type: 'send' | 'steer' = 'send'): Promise<Result<Sent>> =>
      run(async () => {
        const known = clientMessageId === null ? undefined : store.turnOfClientMessage(sessionId, clientMessageId);
        if (known !== undefined) return ok({ turnId: known, performed: Promise.resolve() });
        const steered = type === 'steer' ? runningTurnId(session()) : null;
        const handled = await settle({ type, message }, [], clientMessageId);
        if (!handled.ok) return handled;
        const turnId = isOwnTurn(message) ? message.turnId : (steered ?? message.turnId);
        return ok({ turnId, performed: handled.value.performed });
      }),

    /** What was to go into a turn that ended in that very moment waits like any other message, under its own turn. */
    queueMissed: (message: Message, clientMessageId: string | null): Promise<Result<Handled>> =>
      run(() => {
        const moved = { type: 'move-client-message', sessionId, turnId: message.turnId } as const;
        return settle({ type: 'send', message }, clientMessageId === null ? [] : [{ ...moved, clientMessageId }]);
      }),
  };
}
