import { itemsInOrder } from '@liminal/domain/timeline/timeline';
import type { Api } from '../../connection/api.ts';
import type { SessionStore } from './session-store.ts';

type HistoryMovesDeps = {
  readonly api: Pick<Api['session'], 'history'>;
  readonly session: (sessionId: string) => SessionStore | undefined;
  /** Shows the conversation of a session, whatever is over it. */
  readonly toConversation: (sessionId: string) => void;
  readonly focusComposer: (sessionId: string) => void;
};

const olderTurns = 30;
/** While one looks for a certain turn, pages are large: what is between is needed anyway. */
const seekingTurns = 500;

/** Going back and forth in a session, whose older turns are read as they are needed. */
export function createHistoryMoves({ api, session, toConversation, focusComposer }: HistoryMovesDeps) {
  /** The message each session was last taken to by key. */
  const jumpedTo = new WeakMap<SessionStore, string>();
  const loadingOlder = new Map<string, Promise<boolean>>();

  const fetchOlder = async (store: SessionStore, turns: number): Promise<boolean> => {
    const { before, hasMore } = store.timeline;
    if (!hasMore || before === undefined) return false;
    const page = await api.history(store.sessionId, { before, limit: turns });
    if (page.ok) store.applyOlder(page.value, before);
    return page.ok;
  };
  /** One page at a time; who asks meanwhile gets the one that is on its way. `false`: there is no more to be had. */
  const loadOlder = (store: SessionStore, turns = olderTurns): Promise<boolean> => {
    const { sessionId } = store;
    const loading =
      loadingOlder.get(sessionId) ?? fetchOlder(store, turns).finally(() => loadingOlder.delete(sessionId));
    loadingOlder.set(sessionId, loading);
    return loading;
  };

  return {
    loadOlder: async (store: SessionStore): Promise<void> => void (await loadOlder(store)),
    /** Loads older turns until the one that is looked for is there; `false` when it is not found. */
    async loadTurn(store: SessionStore, turnId: string): Promise<boolean> {
      while (!store.timeline.turns.has(turnId)) if (!(await loadOlder(store, seekingTurns))) return false;
      return true;
    },
    /** Goes to the first thing said, however much is before what is loaded. */
    async goToStart(store: SessionStore): Promise<void> {
      toConversation(store.sessionId);
      store.view.atEnd = false;
      while (await loadOlder(store, seekingTurns));
      const [first] = itemsInOrder(store.timeline);
      if (first !== undefined) store.seek(first.itemId);
    },
    /** Goes to the user's message before or after the one last gone to; from the end, to the last one. */
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
