import type { HistoryPage, SessionHistory } from '@liminal/contracts';
import type { Store } from '../store/store.ts';
import { type LiveItems, type LiveTurns, readHistoryPage } from './history-reader.ts';

export type SessionPagesDeps = {
  readonly store: Store;
  readonly sessionId: string;
  readonly items: LiveItems;
  readonly turns: LiveTurns;
  readonly historyBytes: number;
};

const firstPageTurns = 200;

/** The history of one session, whatever of it is on disk already. */
export function createSessionPages({ store, sessionId, items, turns, historyBytes }: SessionPagesDeps) {
  /** Whole turns before a position, newest ones that fit. */
  const read = (before: number | null, maxTurns: number, maxBytes: number): HistoryPage =>
    readHistoryPage(store, { ...items, turns }, { sessionId, before, maxTurns, maxBytes });
  return {
    read,
    /** What a reader who comes fresh is told first. */
    first(): Pick<SessionHistory, 'entries' | 'turns' | 'hasMore'> {
      const { entries, turns: records, nextBefore } = read(null, firstPageTurns, historyBytes);
      return { entries, turns: records, hasMore: nextBefore !== null };
    },
    /** The place of a turn; null while its message waits. */
    positionOf: (turnId: string): number | null | undefined =>
      (turns.unwritten().find((turn) => turn.turnId === turnId) ?? store.turn(sessionId, turnId))?.position,
  };
}
