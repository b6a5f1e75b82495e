import type { Cursor, Encoding } from '@liminal/contracts';
import { createOutbox } from '@liminal/domain/delivery/outbox';
import type { CatchUp, SessionBus } from '../bus/session-bus.ts';
import { frameOf, wholeFrame } from './frame.ts';

export type SubscriptionDeps = {
  readonly sessionId: string;
  readonly encoding: Encoding;
  readonly bus: SessionBus;
  readonly maxBytes: number;
  /** Something can be taken: the pump should come by. */
  readonly wake: () => void;
};

export type Subscription = {
  /** False when nobody has this session here. */
  start(cursor: Cursor | undefined): boolean;
  /** Frames that may go out now, up to about that many bytes. */
  take(budgetBytes: number): string[];
  readonly ready: boolean;
  /** Updates of growing items wait to be thinned; let them go after an idle time. */
  readonly holding: boolean;
  flushHeld(): void;
  stop(): void;
};

/** One reader of one session: its history or what it missed first, then changes, never more than its limit waiting. */
export function createSubscription({ sessionId, encoding, bus, maxBytes, wake }: SubscriptionDeps): Subscription {
  const outbox = createOutbox({ encoding, maxBytes });
  let opening: string[] = [];
  let epoch = '';
  let unfollow: (() => void) | null = null;
  let mustRestart = false;

  const begin = (start: CatchUp, cursor: Cursor | undefined) => {
    ({ epoch } = start);
    opening = [];
    if (cursor) {
      const verdict = start.verdict === 'ok' ? 'ok' : 'gap';
      opening.push(wholeFrame({ type: 'session:resumed', sessionId, ...cursor, verdict }));
    }
    if (start.verdict !== 'ok') {
      outbox.reset(start.seq);
      const stamp = { sessionId, epoch, seq: start.seq };
      opening.push(wholeFrame({ type: 'session:history', ...stamp, ...start.history }));
      return;
    }
    outbox.reset(cursor?.seq ?? 0);
    for (const change of start.changes) outbox.push(change);
  };

  const follow = (cursor: Cursor | undefined): boolean => {
    unfollow?.();
    unfollow = bus.follow(sessionId, cursor, {
      caughtUp: (start) => begin(start, cursor),
      changed(changes) {
        for (const change of changes) outbox.push(change);
        wake();
      },
      // Not at once: the owner is in the middle of its own change.
      renewed() {
        mustRestart = true;
        wake();
      },
    });
    return unfollow !== null;
  };

  return {
    start(cursor) {
      const started = follow(cursor);
      if (started) wake();
      return started;
    },
    take(budgetBytes) {
      // A reader that fell behind its limit, or whose numbering is gone, starts over from a history.
      if (mustRestart || outbox.overflowed) {
        mustRestart = false;
        if (!follow(undefined)) return [];
      }
      const frames = opening;
      opening = [];
      for (const message of outbox.take(budgetBytes)) frames.push(frameOf(sessionId, epoch, message));
      return frames;
    },
    get ready() {
      return mustRestart || opening.length > 0 || outbox.ready || outbox.overflowed;
    },
    get holding() {
      return outbox.holding;
    },
    flushHeld: () => outbox.flushHeld(),
    stop() {
      unfollow?.();
      unfollow = null;
    },
  };
}
