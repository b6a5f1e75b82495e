import type { ChangeScope } from '@liminal/contracts';
import { createCell, type Cell } from '../base/cell.ts';

/** Where in a review a person wants to be. */
export type ReviewPlace = {
  readonly scope?: ChangeScope;
  readonly turnId?: string;
  readonly path?: string;
  readonly line?: number;
  readonly side?: 'old' | 'new';
  /** Whichever list has the file: what the session changed, else all that is uncommitted. */
  readonly isLoose?: boolean;
};

export type Reviews = {
  /** The sessions whose review is shown in place of their timeline. */
  readonly shown: Cell<ReadonlySet<string>>;
  /** Where to go in the review of a session, until it is there. */
  readonly sought: Cell<{ readonly sessionId: string; readonly place: ReviewPlace } | null>;
  readonly open: (sessionId: string, place?: ReviewPlace) => void;
  readonly close: (sessionId: string) => void;
  readonly toggle: (sessionId: string) => void;
};

/** Which sessions show their review. What is in a review is loaded when it is first opened. */
export function createReviews(): Reviews {
  const shown = createCell<ReadonlySet<string>>(new Set());
  const sought: Reviews['sought'] = createCell<ReturnType<Reviews['sought']['get']>>(null);
  const open = (sessionId: string, place?: ReviewPlace): void => {
    if (place !== undefined) sought.set({ sessionId, place });
    shown.update((held) => new Set([...held, sessionId]));
  };
  const close = (sessionId: string): void => {
    if (shown.get().has(sessionId)) shown.update((held) => new Set([...held].filter((id) => id !== sessionId)));
  };
  return {
    shown,
    sought,
    open,
    close,
    toggle: (sessionId) => (shown.get().has(sessionId) ? close(sessionId) : open(sessionId)),
  };
}
