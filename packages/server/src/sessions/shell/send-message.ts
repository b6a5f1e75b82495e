import { ok, type Result } from '@liminal/contracts';
import { runningTurnId, steerableTurnId, type Message } from '@liminal/domain/session/session';
import type { StoreWrite } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { ItemWriter } from '../writing/item-writer.ts';
import type { SessionCore } from './session-core.ts';

/** Writes made together with the message, which goes into this turn. */
export type WritesFor = (turnId: string) => readonly StoreWrite[];

export type Sent = { readonly turnId: string };

/** How a user's message enters a session: as the next turn, or into the running one. */
export function createSending(core: SessionCore, store: Store, writer: ItemWriter) {
  const { sessionId, run, settle } = core;
  const { session } = core.view;
  /** Steered messages without an outcome yet, by client message id: a repeated send shares the outcome. */
  const steering = new Map<string, Promise<Result<Sent>>>();

  /** A message steered into a turn that just ended waits like any other, as its own turn. */
  const queueMissed = (message: Message, clientMessageId: string | null, writesFor: WritesFor): Promise<Result<Sent>> =>
    run(async () => {
      const { turnId } = message;
      const moved = { type: 'move-client-message', sessionId, turnId } as const;
      const writes = clientMessageId === null ? [] : [{ ...moved, clientMessageId }];
      const handled = await settle({ type: 'send', message }, [...writesFor(turnId), ...writes]);
      return handled.ok ? ok({ turnId }) : handled;
    });

  /** A message that was neither steered nor queued wasn't sent: the same client message id may be used again. */
  const forget = async (clientMessageId: string | null): Promise<void> => {
    if (clientMessageId !== null)
      await run(() => writer.write([{ type: 'remove-client-message', sessionId, clientMessageId }]));
  };

  const finishSteering = async (
    performed: Promise<Result<null>>,
    message: Message,
    clientMessageId: string | null,
    turnId: string,
    writesFor: WritesFor,
  ): Promise<Result<Sent>> => {
    const done = await performed;
    if (done.ok) return ok({ turnId });
    let isQueued = false;
    try {
      const isMissed = done.failure.code === 'TURN_NOT_FOUND';
      const result = isMissed ? await queueMissed(message, clientMessageId, writesFor) : done;
      isQueued = result.ok;
      return result;
    } finally {
      if (!isQueued) await forget(clientMessageId);
    }
  };

  type Begun = { readonly result: Promise<Result<Sent>> };
  const begin = (
    message: Message,
    clientMessageId: string | null,
    type: 'send' | 'steer',
    writesFor: WritesFor,
  ): Promise<Begun> =>
    run(async () => {
      const underWay = clientMessageId === null ? undefined : steering.get(clientMessageId);
      if (underWay) return { result: underWay };
      const known = clientMessageId === null ? undefined : store.turnOfClientMessage(sessionId, clientMessageId);
      if (known !== undefined) return { result: Promise.resolve(ok({ turnId: known })) };
      const steered = type === 'steer' ? steerableTurnId(session()) : null;
      const handled = await settle({ type, message }, writesFor(steered ?? message.turnId), clientMessageId);
      if (!handled.ok) return { result: Promise.resolve(handled) };
      const { performed } = handled.value;
      if (steered === null) {
        return { result: performed.then((done) => (done.ok ? ok({ turnId: message.turnId }) : done)) };
      }
      const result = finishSteering(performed, message, clientMessageId, steered, writesFor);
      if (clientMessageId !== null) {
        steering.set(clientMessageId, result);
        const over = () => void steering.delete(clientMessageId);
        result.then(over, over);
      }
      return { result };
    });

  const beginQueued = (turnId: string, message: Message, writesFor: WritesFor): Promise<Begun> =>
    run(async () => {
      const handled = await settle({ type: 'steer-queued', turnId, message }, []);
      if (!handled.ok) return { result: Promise.resolve(handled) };
      const steered = runningTurnId(session());
      // The turn has just ended or not yet started: the message is still queued.
      if (steered === null || session().queue.some((queued) => queued.turnId === turnId))
        return { result: Promise.resolve(ok({ turnId })) };
      const result = handled.value.performed.then(async (done): Promise<Result<Sent>> => {
        if (done.ok) return ok({ turnId: steered });
        // It left the queue and nothing else holds it, so queue it again.
        const waits = await queueMissed(message, null, writesFor);
        return done.failure.code === 'TURN_NOT_FOUND' || !waits.ok ? waits : done;
      });
      return { result };
    });

  return {
    /** Sends a queued message into the running turn. If the agent rejects it, it goes to the end of the queue. */
    steerQueued: async (turnId: string, message: Message, writesFor: WritesFor = () => []): Promise<Result<Sent>> =>
      (await beginQueued(turnId, message, writesFor)).result,
    /** A repeated client message id is the same message: returns the same turn and sends nothing. */
    send: async (
      message: Message,
      clientMessageId: string | null,
      type: 'send' | 'steer' = 'send',
      writesFor: WritesFor = () => [],
    ): Promise<Result<Sent>> => (await begin(message, clientMessageId, type, writesFor)).result,
  };
}
