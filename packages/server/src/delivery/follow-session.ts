import type { Cursor } from '@liminal/contracts';
import type { Change } from '@liminal/domain/delivery/change';
import type { Outbox } from '@liminal/domain/delivery/outbox';
import type { CatchUp, SessionBus } from '../bus/session-bus.ts';

export type FollowSessionDeps = {
  readonly sessionId: string;
  readonly bus: SessionBus;
  readonly outbox: Outbox;
  /** Puts what is new into the outbox. */
  readonly push: (changes: readonly Change[]) => void;
  /** Something can be taken. */
  readonly wake: () => void;
};

/** What every reader of a session does, however it passes things on: begin, fall behind, start over, leave. */
export function followSession({ sessionId, bus, outbox, push, wake }: FollowSessionDeps) {
  let unfollow: (() => void) | null = null;
  let isRenewed = false;
  const stop = (): void => {
    unfollow?.();
    unfollow = null;
  };
  return {
    /** Begins behind a cursor or with a history; false when nobody has this session here. */
    begin(cursor: Cursor | undefined, onStart: (start: CatchUp) => void): boolean {
      stop();
      isRenewed = false;
      // What waited is sent again from there on.
      outbox.reset(cursor?.seq ?? 0);
      unfollow = bus.follow(sessionId, cursor, {
        // A session of another machine starts later than it was asked for.
        caughtUp(start) {
          onStart(start);
          wake();
        },
        changed(changes) {
          push(changes);
          wake();
        },
        // Not at once: the owner is in the middle of its own change.
        renewed() {
          isRenewed = true;
          wake();
        },
      });
      return unfollow !== null;
    },
    /** Behind its limit, or its numbering is gone: only a history helps. */
    mustStartOver: (): boolean => isRenewed || outbox.overflowed,
    stop,
  };
}
