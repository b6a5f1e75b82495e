import type { Workspace } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';
import { clampWidth, sidebarLimits, type SidebarLayout } from './sidebar-store.ts';
import type { Storage } from '../../browser/storage.ts';
import { allTabs, viewOf, type Layouts } from './layouts.ts';
import { readLayouts, toStored, withLocalTabs } from './stored-layouts.ts';
import type { TerminalPanels } from './terminal-panels.ts';

export type WorkspaceDeps = {
  readonly api: Pick<Api['workbench'], 'workspace' | 'saveWorkspace'>;
  readonly layouts: Cell<Layouts>;
  readonly collapsedGroups: Cell<ReadonlySet<string>>;
  readonly sidebar: Cell<SidebarLayout>;
  readonly terminalPanels: Cell<TerminalPanels>;
  readonly storage: Storage;
  /** Only this browser knows it: the server doesn't store a tab for it. */
  readonly isLocal: (tab: string) => boolean;
  readonly after: (milliseconds: number, task: () => void) => () => void;
};

export type WorkspaceSync = {
  /** `false` until it is known whether sessions are open: until then an empty page means nothing. */
  readonly settled: Cell<boolean>;
  /** The server is reachable: first loads the saved layout; later saves what the server missed. */
  readonly connected: () => Promise<void>;
  /** The page may be closing: saves pending changes now. */
  readonly flush: () => void;
  /**
   * Changes the layout without saving it: something is gone, or its project became known. Every browser finds that out
   * by itself. If one of them saved it, it would replace what another has arranged since.
   */
  readonly withoutSaving: (task: () => void) => void;
};

const key = 'liminal.workspace.unsent';
const quietMs = 300;

/**
 * Stores the page's layout on the server, for restarts and other browsers. The browser's own storage is a cache that
 * lets the page start at once. The server's layout replaces it, unless there are changes here that the server doesn't
 * have yet.
 */
export function syncWorkspace({
  api,
  layouts,
  collapsedGroups,
  sidebar,
  terminalPanels,
  storage,
  isLocal,
  after,
}: WorkspaceDeps): WorkspaceSync {
  const settled = createCell(allTabs(layouts.get()).length > 0);
  let adopted = false;
  let isSaving = true;
  let underWay = 0;
  /** How often the user has changed the layout. */
  let changes = 0;
  /** False once two saves overlapped: the server may have applied the older one last. */
  let isOrderKnown = true;
  let choseFirstScreen = false;
  let cancel: () => void = () => {};

  const current = (): Workspace => {
    const { width, hidden } = sidebar.get();
    return {
      ...toStored(layouts.get(), (tab) => !isLocal(tab)),
      collapsed: [...collapsedGroups.get()],
      sidebarWidth: hidden ? 0 : width,
      terminals: terminalPanels.get(),
    };
  };

  const save = async (leaving = false): Promise<void> => {
    cancel();
    if (underWay > 0 && !leaving) return;
    isOrderKnown &&= underWay === 0;
    underWay += 1;
    const sent = changes;
    const reply = await api.saveWorkspace(current(), { keepalive: leaving });
    underWay -= 1;
    if (!reply.ok || underWay > 0) return;
    if (isOrderKnown && sent === changes) storage.write(key, null);
    else plan();
    isOrderKnown = true;
  };
  const plan = (): void => {
    cancel();
    cancel = after(quietMs, () => void save());
  };

  const adopt = (workspace: Workspace): void => {
    const { activeTab = null, collapsed, sidebarWidth, terminals } = workspace;
    const { active } = viewOf(layouts.get());
    const isOwnShown = choseFirstScreen || (active !== null && isLocal(active));
    const read = readLayouts({ ...workspace, activeTab });
    if (read !== null) layouts.set(withLocalTabs(read, layouts.get(), isLocal, isOwnShown));
    if (terminals !== undefined) terminalPanels.set(terminals);
    if (collapsed !== undefined) collapsedGroups.set(new Set(collapsed));
    if (sidebarWidth !== undefined) {
      const isHidden = sidebarWidth === 0;
      sidebar.set({ width: isHidden ? sidebarLimits.usual : clampWidth(sidebarWidth), hidden: isHidden });
    }
  };

  const withoutSaving = (task: () => void): void => {
    const before = isSaving;
    isSaving = false;
    task();
    isSaving = before;
  };

  let known = JSON.stringify(current());
  for (const cell of [layouts, collapsedGroups, sidebar, terminalPanels]) {
    cell.subscribe(() => {
      const before = known;
      known = JSON.stringify(current());
      if (!isSaving) return;
      // Nothing to save. But a user who goes to the first screen before the saved tabs have arrived stays there when
      // they do.
      if (known === before) choseFirstScreen = viewOf(layouts.get()).active === null;
      else {
        changes += 1;
        storage.write(key, '1');
        plan();
      }
    });
  }

  const connected = async (): Promise<void> => {
    if (storage.read(key) !== null) {
      adopted = true;
      return save();
    }
    if (adopted) return undefined;
    const reply = await api.workspace();
    // Changes the user made while the layout was loading win.
    if (!reply.ok || storage.read(key) !== null) return undefined;
    adopted = true;
    return withoutSaving(() => adopt(reply.value));
  };

  return {
    settled,
    withoutSaving,
    async connected() {
      await connected();
      settled.set(true);
    },
    flush() {
      if (storage.read(key) !== null) void save(true);
    },
  };
}
