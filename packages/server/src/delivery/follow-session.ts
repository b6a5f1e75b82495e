import type { Cursor } from '@liminal/contracts';
import type { Change } from '@liminal/domain/delivery/change';
import type { Outbox } from '@liminal/domain/delivery/outbox';
import type { CatchUp, SessionBus } from '../bus/session-bus.ts';

export type FollowSessionDeps = {
  readonly sessionId: string;
  readonly bus: SessionBus;
  readonly outbox: Outbox;
  /** Puts new changes into the outbox. */
  readonly push: (changes: readonly Change[]) => void;
  /** Something can be taken. */
  readonly wake: () => void;
};

/** What every reader of a session does, whatever it sends: start, fall behind, start over, stop. */
export function followSession({ sessionId, bus, outbox, push, wake }: FollowSessionDeps) {
  let unfollow: (() => void) | null = null;
  let isRenewed = false;
  const stop = (): void => {
    unfollow?.();
    unfollow = null;
  };
  return {
    /** Starts after a cursor or with a history; false when no machine has this session. */
    begin(cursor: Cursor | undefined, onStart: (start: CatchUp) => void): boolean {
      stop();
      isRenewed = false;
      // Drop what was waiting: it is sent again, starting after the cursor.
      outbox.reset(cursor?.seq ?? 0);
      unfollow = bus.follow(sessionId, cursor, {
        // A session of another machine catches up later.
        caughtUp(start) {
          onStart(start);
          wake();
        },
        changed(changes) {
          push(changes);
          wake();
        },
        // Start over later: the owner is in the middle of its own change.
        renewed() {
          isRenewed = true;
          wake();
        },
      });
      return unfollow !== null;
    },
    /** The reader is past its limit or its epoch has ended: it needs a new history. */
    mustStartOver: (): boolean => isRenewed || outbox.overflowed,
    stop,
  };
}
