import type { HistoryPage, SessionHistory, SessionInfo, SessionStatus } from '@liminal/contracts';
import type { Session } from '@liminal/domain/session/session';
import { queuedMessage } from '@liminal/domain/session/changes-from';
import type { FeedSource } from '../../bus/session-bus.ts';
import type { Store } from '../../store/store.ts';
import type { SessionItems } from '../shell/session-items.ts';
import { type UnwrittenItems, type UnwrittenTurns, readHistoryPage } from './history-reader.ts';

export type SessionPagesDeps = {
  readonly store: Store;
  readonly sessionId: string;
  readonly items: UnwrittenItems;
  readonly turns: UnwrittenTurns;
  readonly historyBytes: number;
};

const firstPageTurns = 200;

/** The history of one session, including turns and items that aren't on disk yet. */
export function createSessionPages({ store, sessionId, items, turns, historyBytes }: SessionPagesDeps) {
  /** Complete turns before a position: the newest that fit. */
  const read = (before: number | null, maxTurns: number, maxBytes: number): HistoryPage =>
    readHistoryPage(store, { ...items, turns }, { sessionId, before, maxTurns, maxBytes });
  return {
    read,
    /** The first page a new reader receives. */
    first(): Pick<SessionHistory, 'entries' | 'turns' | 'hasMore'> {
      const { entries, turns: records, nextBefore } = read(null, firstPageTurns, historyBytes);
      return { entries, turns: records, hasMore: nextBefore !== null };
    },
    /** The position of a turn; null while its message waits. */
    positionOf: (turnId: string): number | null | undefined =>
      (turns.unwritten().find((turn) => turn.turnId === turnId) ?? store.turn(sessionId, turnId))?.position,
  };
}

export type SessionPages = ReturnType<typeof createSessionPages>;

export type FeedSourceDeps = {
  readonly pages: SessionPages;
  readonly items: SessionItems;
  readonly session: () => Session;
  readonly status: () => SessionStatus;
  readonly info: () => SessionInfo;
};

/** What the bus needs from a session: the history a reader starts with, and items it no longer holds. */
export function feedSource({ pages, items, session, status, info }: FeedSourceDeps): FeedSource {
  return {
    history: () => ({
      ...pages.first(),
      permissions: [...session().permissions],
      queue: session().queue.map(queuedMessage),
      status: status(),
      info: info(),
    }),
    resolve(key) {
      const item = key.startsWith('item:') ? items.find(key.slice('item:'.length)) : undefined;
      return item && { type: 'session:upsert', payload: item };
    },
  };
}
