import { createCell, type Cell } from '../base/cell.ts';

/** A view that some sessions show in place of their timeline, and where in it a person wants to be. */
export type SessionViews<Place> = {
  readonly shown: Cell<ReadonlySet<string>>;
  /** Where to go in the view of a session, until it is there. */
  readonly sought: Cell<{ readonly sessionId: string; readonly place: Place } | null>;
  readonly open: (sessionId: string, place?: Place) => void;
  readonly close: (sessionId: string) => void;
  readonly toggle: (sessionId: string) => void;
};

/** Which sessions show such a view. What is in it is loaded when it is first opened. */
export function createSessionViews<Place>(): SessionViews<Place> {
  const shown = createCell<ReadonlySet<string>>(new Set());
  const sought = createCell<{ readonly sessionId: string; readonly place: Place } | null>(null);
  const open = (sessionId: string, place?: Place): void => {
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
