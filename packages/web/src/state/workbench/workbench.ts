import type { SessionInfo } from '@liminal/contracts';
import type { ReadMessage } from '@liminal/client/read-message';
import type { Socket } from '@liminal/client/socket';
import { createCompareStore } from '../compare/compare-store.ts';
import { createCurrentWork, projectsOfTabs } from './current-work.ts';
import { createConnectionStore } from './connection-store.ts';
import { createAgentInstalls } from './agent-installs.ts';
import { createDirectoryStore } from './directory-store.ts';
import { createDraftStore } from '../sessions/draft-store.ts';
import { createFailureStore, backgroundActions } from './background-actions.ts';
import { createCollapsedStore } from '../layout/collapsed-store.ts';
import { createRequestedSessions } from './requested-sessions.ts';
import { createHistoryMoves } from '../sessions/history-moves.ts';
import { createNewSessions, isNewSession } from '../sessions/new-sessions.ts';
import { sessionChoices } from '../sessions/session-choices.ts';
import { createOpenSessions } from '../sessions/open-sessions.ts';
import { createNotifier } from './notifier.ts';
import { createOutgoingStore } from '../sessions/outgoing-store.ts';
import { createEditorStore } from '../layout/editor-store.ts';
import { createListView } from '../layout/list-view.ts';
import { createPanelStore } from '../layout/panel-store.ts';
import { createFileMoves } from '../files/file-moves.ts';
import type { FilePlace } from '../files/file-store.ts';
import { createFileViews, createReviews } from '../layout/session-views.ts';
import { readTab, sessionOfTab, terminalTab } from '../layout/tab-id.ts';
import { createTerminalPanels, terminalTabs } from '../layout/terminal-panels.ts';
import { createStartForm } from '../sessions/start-form.ts';
import { createSeenSessions } from '../sessions/seen-sessions.ts';
import { createSessionMarking } from '../sessions/session-marking.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { createSidebarStore } from '../layout/sidebar-store.ts';
import { createTerminalStore } from '../terminals/terminal-store.ts';
import { createWorktreeStore } from '../worktrees/worktree-store.ts';
import { shownTabs } from '../layout/tabs.ts';
import { createTabsStore } from '../layout/tabs-store.ts';
import { createDensityStore, createThemeStore } from '../layout/theme-store.ts';
import { syncWorkspace } from '../layout/workspace-sync.ts';
import type { WorkbenchDeps } from './workbench-deps.ts';

const branchReadMs = 300;

/** The whole page without its components: the stores, the messages between them, and the user's actions. */
export function createWorkbench(deps: WorkbenchDeps) {
  const connection = createConnectionStore(deps.pageVersion);
  const storage = deps.createStorage(connection.storageRefused);
  const api = deps.createApi(connection.refused);
  const projectOf = projectsOfTabs({
    directory: () => directory.get(),
    newSessions: () => newSessions,
    terminals: () => terminals.list,
  });
  const tabs = createTabsStore(storage, projectOf);
  const collapsedGroups = createCollapsedStore(storage);
  const sidebar = createSidebarStore(storage);
  const notifier = createNotifier({
    board: deps.notices,
    storage,
    isWatched: deps.isPageWatched,
    onChosen: tabs.show,
  });
  let stopReading: () => void = () => {};
  const directory = createDirectoryStore(api, (before, after) => {
    notifier.sessionChanged(before, after);
    // A turn may have changed the branch; several that end at once cause one request.
    if (before !== undefined && before.ended?.id !== after.ended?.id) {
      stopReading();
      stopReading = deps.after(branchReadMs, () => void directory.refreshProjects());
    }
    seen.sessionChanged(after);
  });
  const seen = createSeenSessions({
    api: api.session,
    sessions: () => directory.get().sessions,
    show: directory.show,
    inView: () =>
      deps.isPageVisible() && !work.areTabsCovered()
        ? shownTabs(tabs.get()).flatMap((id) => (readTab(id).kind === 'file' ? [] : (sessionOfTab(id) ?? [])))
        : [],
  });
  const failures = createFailureStore();
  const drafts = createDraftStore(storage, deps.createTabStorage());
  const panels = createPanelStore(storage);
  const comparing = createCompareStore(api.compare, () => socket.followWorktrees());
  const worktrees = createWorktreeStore(api.worktree, () => socket.followWorktrees());
  const reviews = createReviews(tabs);
  const fileViews = createFileViews(tabs, directory.folderOf);
  const sessions = createOpenSessions({
    newSessions: () => newSessions,
    socket: () => socket,
    schedule: deps.schedule,
    now: deps.now,
  });
  const infoOfAgent = (cliType: string): SessionInfo => {
    const isSame = ({ sessionId }: SessionStore) => directory.get().sessions.get(sessionId)?.cliType === cliType;
    const known = sessions.all().find((store) => isSame(store) && store.info().modes !== undefined);
    return known?.info() ?? {};
  };
  const newSessions = createNewSessions({
    api: api.session,
    storage,
    drafts,
    newId: deps.newId,
    now: deps.now,
    isOpen: (id) => tabs.all().includes(id) || startForm.current.get() === id,
    hasMessages: (id) => outgoing.get().some((message) => message.sessionId === id),
    knownInfo: (cliType) => infoOfAgent(cliType),
    onBegun(id, sessionId) {
      outgoing.rename(id, sessionId);
      work.sessionBegun(id, sessionId);
      tabs.rename(id, sessionId);
    },
  });
  const outgoing = createOutgoingStore(
    api.session,
    storage,
    deps.newId,
    (id, message) => (isNewSession(id) ? newSessions.begin(id, message) : null),
    { isOpen: () => connection.get().socket.phase === 'open', after: deps.after },
  );
  /** Shows a session that the user has just chosen. */
  const show = (sessionId: string): void => {
    tabs.show(sessionId);
    panels.composerFocus.set(sessionId);
  };
  const listView = createListView(storage);
  const startForm = createStartForm({ newSessions, drafts, outgoing, tabs, directory: directory.get, show });
  const terminals = createTerminalStore({
    api: api.terminal,
    say: (message) => socket.sayToTerminal(message),
    tabs: terminalTabs(tabs),
  });
  const work = createCurrentWork({ tabs, panels, comparing, drafts });
  const terminalPanels = createTerminalPanels({ storage, project: work.activeProject, ...terminals });
  const workspace = syncWorkspace({
    api: api.workbench,
    layouts: tabs.layouts,
    collapsedGroups,
    sidebar,
    terminalPanels,
    storage,
    isLocal: isNewSession,
    after: deps.after,
  });

  const onMessage = (message: ReadMessage): void => {
    if (message.type === 'pong') return;
    if (terminals.hear(message) || comparing.hear(message) || worktrees.hear(message)) return;
    if (message.type === 'directory:changed') {
      const gone = directory.changed(message);
      return closeTabsOf((id) => gone.has(sessionOfTab(id) ?? ''));
    }
    if (message.type === 'error') return sessions.get(message.sessionId ?? '')?.refuse(message.message);
    if (!('epoch' in message)) return;
    const store = sessions.get(message.sessionId);
    if (store === undefined) return;
    for (const itemId of store.apply(message)) socket.askForItem(message.sessionId, itemId);
    if (outgoing.get().length > 0) outgoing.arrived(sessions.hasTurn);
  };

  const socket: Socket = deps.createSocket({
    cursorOf: (sessionId) => sessions.get(sessionId)?.timeline.cursor,
    onMessage,
    onBytes: (bytes) => terminals.hearBytes(bytes),
    onState(state) {
      connection.socketChanged(state);
      // A rejected socket looks like a missing server; a request finds out which it is.
      if (state.phase === 'lost') void api.workbench.preferences();
      if (state.phase !== 'open') return;
      terminals.connected();
      directory.connected();
      comparing.refresh();
      worktrees.connected();
      void workspace.connected().then(tidyTabs);
      void api.workbench.health().then((health) => health.ok && connection.versionSeen(health.value.version));
      outgoing.retry();
    },
  });

  /** Subscribes to the sessions that the open tabs belong to. */
  const followTabs = (): void => {
    const started = startForm.current.get();
    const inTabs = tabs.all().flatMap((id) => sessionOfTab(id) ?? []);
    sessions.follow(new Set([...inTabs, ...(started === null ? [] : [started]), ...comparing.sessionIds()]));
    newSessions.tidy();
    seen.viewChanged();
  };
  const closeTabsOf = (isGone: (id: string) => boolean): void =>
    workspace.withoutSaving(() => tabs.all().filter(isGone).forEach(tabs.close));
  /** What is known about the tabs has changed, or the tabs came from the server. */
  const tidyTabs = (): void => {
    const listed = terminals.list.get();
    const known = new Set(listed?.map(({ terminalId }) => terminalTab(terminalId)));
    if (listed !== null) closeTabsOf((id) => readTab(id).kind === 'terminal' && !known.has(id));
    workspace.withoutSaving(tabs.place);
  };
  for (const sessionId of tabs.all().filter(isNewSession)) if (!newSessions.get().has(sessionId)) tabs.close(sessionId);
  for (const task of [() => panels.inbox.set(false), comparing.close]) tabs.onChoice(task);
  for (const task of [followTabs, terminalPanels.projectChanged]) tabs.subscribe(task);
  for (const cell of [directory, terminals.list]) cell.subscribe(tidyTabs);
  startForm.current.subscribe(followTabs);
  comparing.shown.subscribe(followTabs);
  panels.inbox.subscribe(() => seen.viewChanged());
  newSessions.subscribe(sessions.showNew);
  for (const task of [followTabs, terminalPanels.projectChanged]) task();

  const requested = createRequestedSessions({
    api,
    tabs,
    panels,
    comparing,
    drafts,
    startForm,
    refresh: directory.refresh,
  });

  return {
    api,
    connection,
    directory,
    drafts,
    failures,
    installs: createAgentInstalls(api.workbench, directory.refresh),
    collapsedGroups,
    comparing,
    marking: createSessionMarking({
      api: api.session,
      sessions: () => directory.get().sessions,
      show: directory.show,
      failures,
    }),
    newId: deps.newId,
    newSessions,
    notifier,
    outgoing,
    panels,
    reviews,
    fileMoves: createFileMoves({ api: api.file, storage }),
    fileViews,
    /** Shows a file of a session's folder at a line, for links from anywhere. */
    openPath(sessionId: string, place: FilePlace): void {
      panels.inbox.set(false);
      fileViews.open(sessionId, place);
    },
    ...work,
    projectOf,
    /** Shows a project's tabs as the user left them; without any, the form for a session in it. */
    goToProject(projectId: string): void {
      tabs.goTo(projectId);
      if (tabs.get().open.length === 0) startForm.open(projectId);
    },
    /** A project was removed: closes its tabs and forgets its layout. */
    forgetProject(projectId: string): void {
      tabs.forget(projectId);
      terminalPanels.forget(projectId);
    },
    sidebar,
    socket,
    storage,
    tabs,
    terminals,
    theme: createThemeStore(storage, deps.applyTheme),
    density: createDensityStore(storage, deps.applyDensity),
    editor: createEditorStore(storage),
    workspace,
    ...createHistoryMoves({
      api: api.session,
      session: (sessionId) => sessions.get(sessionId),
      toConversation: work.toConversation,
      focusComposer: panels.composerFocus.set,
    }),
    worktrees,
    ...backgroundActions({
      api: api.session,
      newId: deps.newId,
      importInto: api.project.importSession,
      directory,
      failures,
      tabs,
      showWhenReady: requested.showWhenReady,
    }),
    session: sessions.get,
    choices: sessionChoices(api.session, newSessions),
    startForm,
    listView,
    ...requested,
    /** The page became visible: marks what it shows as seen, and checks the socket, which may have died meanwhile. */
    cameIntoView(): void {
      followTabs();
      if (directory.get().loaded) void directory.refreshProjects();
      socket.nudge();
    },
    /** The page was hidden: whatever ends from now on counts as unseen. */
    wentOutOfView: seen.viewChanged,
  };
}
export type Workbench = ReturnType<typeof createWorkbench>;
