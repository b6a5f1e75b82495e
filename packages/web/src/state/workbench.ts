import type { CreateSessionBody } from '@liminal/contracts';
import type { Api, ApiFailure, ApiResult } from '../connection/api.ts';
import type { ReadMessage } from '../connection/read-message.ts';
import type { Socket, SocketDeps } from '../connection/socket.ts';
import { createConnectionStore } from './connection-store.ts';
import { createDirectoryStore } from './directory-store.ts';
import { createDraftStore } from './draft-store.ts';
import type { Schedule } from './emitter.ts';
import { createFoldStore } from './fold-store.ts';
import { createOutgoingStore } from './outgoing-store.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import type { Storage } from './storage.ts';
import { createTabsStore } from './tabs-store.ts';
import { createThemeStore, type Theme } from './theme-store.ts';
import { createUnreadStore } from './unread-store.ts';

export type WorkbenchDeps = {
  readonly createApi: (onUnauthorized: () => void) => Api;
  readonly createSocket: (deps: Pick<SocketDeps, 'cursorOf' | 'onMessage' | 'onState'>) => Socket;
  readonly storage: Storage;
  readonly schedule: Schedule;
  readonly now: () => number;
  readonly newId: () => string;
  readonly isPageVisible: () => boolean;
  readonly applyTheme: (theme: Theme) => void;
};

const olderTurns = 30;

/** The whole page without its face: the stores, how messages reach them, and what a person can do. */
export function createWorkbench(deps: WorkbenchDeps) {
  const { storage } = deps;
  const connection = createConnectionStore();
  const api = deps.createApi(connection.refused);
  const tabs = createTabsStore(storage);
  const isInView = (sessionId: string): boolean => deps.isPageVisible() && tabs.get().active === sessionId;
  const unread = createUnreadStore(storage, isInView);
  const directory = createDirectoryStore(api, unread.sessionChanged);
  const outgoing = createOutgoingStore(api, storage, deps.newId);
  const sessions = new Map<string, SessionStore>();
  const loadingOlder = new Set<string>();

  const isKnown = (sessionId: string, turnId: string): boolean => {
    const held = sessions.get(sessionId)?.timeline;
    return held !== undefined && (held.turns.has(turnId) || held.queue.some((queued) => queued.turnId === turnId));
  };

  const onMessage = (message: ReadMessage): void => {
    if (message.type === 'pong') return;
    if (message.type === 'directory:changed') return directory.changed(message);
    if (message.type === 'error') return sessions.get(message.sessionId ?? '')?.refuse(message.message);
    const store = sessions.get(message.sessionId);
    if (store === undefined) return;
    for (const itemId of store.apply(message)) socket.askForItem(message.sessionId, itemId);
    if (outgoing.get().length > 0) outgoing.arrived(isKnown);
  };

  const socket: Socket = deps.createSocket({
    cursorOf: (sessionId) => sessions.get(sessionId)?.timeline.cursor,
    onMessage,
    onState(state) {
      connection.socketChanged(state);
      if (state.phase !== 'open') return;
      void directory.refresh();
      void api.health().then((health) => health.ok && connection.versionSeen(health.value.version));
      outgoing.retry();
    },
  });

  /** A session that is open in a tab is subscribed to; the others are known by their summary only. */
  const followTabs = (): void => {
    const { open, active } = tabs.get();
    for (const sessionId of open) {
      if (sessions.has(sessionId)) continue;
      sessions.set(sessionId, createSessionStore(sessionId, deps.schedule, deps.now));
      socket.subscribe(sessionId);
    }
    for (const sessionId of sessions.keys()) {
      if (open.includes(sessionId)) continue;
      sessions.delete(sessionId);
      socket.unsubscribe(sessionId);
    }
    if (active !== null && deps.isPageVisible()) unread.seen(active);
  };
  tabs.subscribe(followTabs);
  followTabs();

  const showCreated = (reply: ApiResult<{ sessionId: string }>): ApiFailure | null => {
    if (!reply.ok) return reply.failure;
    tabs.show(reply.value.sessionId);
    void directory.refresh();
    return null;
  };

  return {
    api,
    connection,
    directory,
    drafts: createDraftStore(storage),
    folds: createFoldStore(storage),
    outgoing,
    socket,
    storage,
    tabs,
    theme: createThemeStore(storage, deps.applyTheme),
    unread,
    session: (sessionId: string): SessionStore | undefined => sessions.get(sessionId),
    create: async (body: CreateSessionBody) => showCreated(await api.create(body)),
    startDemo: async () => showCreated(await api.startDemo()),
    /** The page came into sight: what it shows is read now, and the socket may have died meanwhile. */
    cameIntoView(): void {
      followTabs();
      socket.nudge();
    },
    async loadOlder(store: SessionStore): Promise<void> {
      const { before, hasMore } = store.timeline;
      if (!hasMore || before === undefined || loadingOlder.has(store.sessionId)) return;
      loadingOlder.add(store.sessionId);
      const page = await api.history(store.sessionId, before, olderTurns);
      loadingOlder.delete(store.sessionId);
      if (page.ok) store.applyOlder(page.value, before);
    },
  };
}
export type Workbench = ReturnType<typeof createWorkbench>;
