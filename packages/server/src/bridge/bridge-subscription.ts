import type { BridgeEvent, Cursor } from '@liminal/contracts';
import { bridgeAll, bridgeHistory, joinQuietly } from '@liminal/domain/bridge/bridge-history';
import type { BridgeStep } from '@liminal/domain/bridge/bridge-messages';
import { type HostState, emptyHostState } from '@liminal/domain/bridge/host-state';
import { type Change, type ChangeBody, keyOf } from '@liminal/domain/delivery/change';
import { createOutbox } from '@liminal/domain/delivery/outbox';
import type { CatchUp, SessionBus } from '../bus/session-bus.ts';
import { followSession } from '../delivery/follow-session.ts';
import type { FrameSource } from '../delivery/pump.ts';

export type BridgeSubscriptionDeps = {
  readonly taskId: string;
  readonly sessionId: string;
  readonly bus: SessionBus;
  readonly maxBytes: number;
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
};

export type BridgeSubscription = FrameSource & {
  /** Continues from the last position, or joins now. With `replay`, sends everything from the beginning. */
  start(replay: boolean): boolean;
};

/** Sends one task's session to its host: the same changes every reader gets, as bridge messages. */
export function createBridgeSubscription(deps: BridgeSubscriptionDeps): BridgeSubscription {
  const { taskId, sessionId, bus, wake } = deps;
  const outbox = createOutbox({ encoding: 'append', maxBytes: deps.maxBytes });
  /** The newest state of each queued change. The outbox sends growing text as deltas; the bridge needs the whole. */
  const newest = new Map<string, ChangeBody>();
  let host: HostState = emptyHostState;
  let isFirst = true;
  let opening: string[] = [];
  let cursor: Cursor | undefined;

  const framesOf = (step: BridgeStep): string[] => {
    ({ host } = step);
    return step.messages.map((message) =>
      JSON.stringify({ type: 'event', channel: 'agent:message', taskId, message } satisfies BridgeEvent),
    );
  };
  const push = (changes: readonly Change[]): void => {
    for (const change of changes) {
      newest.set(keyOf(change.body), change.body);
      outbox.push(change);
    }
  };
  const begin = (start: CatchUp, replay: boolean): void => {
    newest.clear();
    const seq = start.verdict === 'ok' ? (cursor?.seq ?? 0) : start.seq;
    outbox.reset(seq);
    cursor = { epoch: start.epoch, seq };
    if (start.verdict === 'ok') return push(start.changes);
    const step = bridgeHistory(replay ? emptyHostState : host, start.history, { sessionId, replay: replay || isFirst });
    // Keep the frames the host hasn't taken yet: the next pieces append to them.
    opening.push(...framesOf(isFirst && !replay ? joinQuietly(step) : step));
    isFirst = false;
  };
  const session = followSession({ sessionId, bus, outbox, push, wake });
  const follow = (from: Cursor | undefined, replay = false): boolean =>
    session.begin(from, (start) => begin(start, replay));
  const takeBodies = (budgetBytes: number): ChangeBody[] =>
    outbox.take(budgetBytes).flatMap((message) => {
      cursor = cursor && { ...cursor, seq: message.seq };
      const key = message.type === 'session:append' ? `item:${message.payload.itemId}` : undefined;
      const body = message.change?.body ?? (key === undefined ? undefined : newest.get(key));
      if (body) newest.delete(keyOf(body));
      return body ? [body] : [];
    });

  return {
    start: (replay) => follow(replay ? undefined : cursor, replay),
    take(budgetBytes) {
      try {
        if (session.mustStartOver() && !follow(undefined)) return [];
        const frames = opening;
        opening = [];
        return [...frames, ...framesOf(bridgeAll(host, takeBodies(budgetBytes), { sessionId }))];
      } catch (error) {
        deps.onError(error);
        session.stop();
        return [];
      }
    },
    get ready() {
      return opening.length > 0 || outbox.ready || session.mustStartOver();
    },
    get holding() {
      return outbox.holding;
    },
    flushHeld: () => outbox.flushHeld(),
    stop: session.stop,
  };
}
