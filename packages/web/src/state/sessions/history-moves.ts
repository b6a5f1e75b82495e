import { itemsInOrder } from '@liminal/domain/timeline/timeline';
import type { Api } from '../../connection/api.ts';
import type { SessionStore } from './session-store.ts';

type HistoryMovesDeps = {
  readonly api: Pick<Api['session'], 'history'>;
  readonly session: (sessionId: string) => SessionStore | undefined;
  /** Shows a session's conversation, closing any layer over it. */
  readonly toConversation: (sessionId: string) => void;
  readonly focusComposer: (sessionId: string) => void;
};

const olderTurns = 30;
/** Pages are large during a search for a certain turn: everything in between is needed anyway. */
const seekingTurns = 500;

/** Moves back and forth in a session, loading older turns as needed. */
export function createHistoryMoves({ api, session, toConversation, focusComposer }: HistoryMovesDeps) {
  /** The message each session was last moved to by key. */
  const jumpedTo = new WeakMap<SessionStore, string>();
  const loadingOlder = new Map<string, Promise<boolean>>();

  const fetchOlder = async (store: SessionStore, turns: number): Promise<boolean> => {
    const { before, hasMore } = store.timeline;
    if (!hasMore || before === undefined) return false;
    const page = await api.history(store.sessionId, { before, limit: turns });
    if (page.ok) store.applyOlder(page.value, before);
    return page.ok;
  };
  /** Loads one page at a time; callers meanwhile get the pending one. `false`: there are no more. */
  const loadOlder = (store: SessionStore, turns = olderTurns): Promise<boolean> => {
    const { sessionId } = store;
    const loading =
      loadingOlder.get(sessionId) ?? fetchOlder(store, turns).finally(() => loadingOlder.delete(sessionId));
    loadingOlder.set(sessionId, loading);
    return loading;
  };

  return {
    loadOlder: async (store: SessionStore): Promise<void> => void (await loadOlder(store)),
    /** Loads older turns until the wanted one is there; `false` if it isn't found. */
    async loadTurn(store: SessionStore, turnId: string): Promise<boolean> {
      while (!store.timeline.turns.has(turnId)) if (!(await loadOlder(store, seekingTurns))) return false;
      return true;
    },
    /** Goes to the very first message, loading everything before it. */
    async goToStart(store: SessionStore): Promise<void> {
      toConversation(store.sessionId);
      store.view.atEnd = false;
      while (await loadOlder(store, seekingTurns));
      const [first] = itemsInOrder(store.timeline);
      if (first !== undefined) store.seek(first.itemId);
    },
    /** Goes to the user's previous or next message; from the end, to the last one. */
    async jumpToMessage(sessionId: string, step: 1 | -1): Promise<void> {
      const store = session(sessionId);
      if (store === undefined) return;
      toConversation(sessionId);
      const next = (): string | undefined => {
        const own = store.ownItems();
        const at = own.indexOf(jumpedTo.get(store) ?? '');
        return own[(store.view.atEnd || at < 0 ? own.length : at) + step];
      };
      while (step < 0 && next() === undefined) if (!(await loadOlder(store))) break;
      const target = next();
      if (target === undefined && step < 0) return;
      if (target === undefined) {
        store.goToEnd();
        focusComposer(sessionId);
        return;
      }
      store.view.atEnd = false;
      jumpedTo.set(store, target);
      store.seek(target, true);
    },
  };
}
