import type { Cursor, Encoding, FailureCode } from '@liminal/contracts';
import { createOutbox } from '@liminal/domain/delivery/outbox';
import type { CatchUp, SessionBus } from '../bus/session-bus.ts';
import { frameOf, wholeFrame } from './frame.ts';
import type { FrameSource } from './pump.ts';

export type SubscriptionDeps = {
  readonly sessionId: string;
  readonly encoding: Encoding;
  readonly bus: SessionBus;
  readonly maxBytes: number;
  /** Something can be taken: the pump should come by. */
  readonly wake: () => void;
  readonly onError?: (error: unknown) => void;
};

export type Subscription = FrameSource & {
  /** False when nobody has this session here. */
  start(cursor: Cursor | undefined): boolean;
};

/** One reader of one session: its history or what it missed first, then changes, never more than its limit waiting. */
export function createSubscription(deps: SubscriptionDeps): Subscription {
  const { sessionId, encoding, bus, maxBytes, wake, onError } = deps;
  const outbox = createOutbox({ encoding, maxBytes });
  let opening: string[] = [];
  let unanswered: Cursor | undefined;
  let epoch = '';
  let unfollow: (() => void) | null = null;
  let mustRestart = false;

  const begin = (start: CatchUp, cursor: Cursor | undefined) => {
    ({ epoch } = start);
    opening = [];
    if (unanswered) {
      const verdict = start.verdict === 'ok' ? 'ok' : 'gap';
      opening.push(wholeFrame({ type: 'session:resumed', sessionId, ...unanswered, verdict }));
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
    unfollow = null;
    unfollow = bus.follow(sessionId, cursor, {
      caughtUp(start) {
        begin(start, cursor);
        // A session of another machine starts later than it was asked for.
        wake();
      },
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

  /** Nothing more can come: the reader is told why, instead of waiting for ever. */
  const end = (code: FailureCode, message: string): void => {
    unfollow?.();
    unfollow = null;
    outbox.reset(0);
    opening = [JSON.stringify({ type: 'error', code, message, sessionId })];
  };

  const takeFrames = (budgetBytes: number): string[] => {
    // A reader that fell behind its limit, or whose numbering is gone, starts over from a history.
    if (mustRestart || outbox.overflowed) {
      mustRestart = false;
      if (!follow(undefined)) end('SESSION_NOT_FOUND', 'This session was removed.');
    }
    const frames = outbox.take(budgetBytes).map((message) => frameOf(sessionId, epoch, message));
    return opening.length > 0 ? [...opening, ...frames] : frames;
  };

  return {
    start(cursor) {
      unanswered = cursor;
      const started = follow(cursor);
      if (started) wake();
      return started;
    },
    take(budgetBytes) {
      try {
        return takeFrames(budgetBytes);
      } catch (error) {
        onError?.(error);
        end('INTERNAL_ERROR', 'This session cannot be read. The log of the server has the details.');
        return opening;
      } finally {
        opening = [];
        unanswered = undefined;
      }
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
