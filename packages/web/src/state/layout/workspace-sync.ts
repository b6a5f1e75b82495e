import type { Workspace } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';
import { clampWidth, sidebarLimits, type SidebarLayout } from './sidebar-store.ts';
import type { Storage } from '../../browser/storage.ts';
import { readTabs, type Tabs } from './tabs-store.ts';
import { tabsOfSplit } from './splits.ts';
import type { TerminalPanels } from './terminal-panels.ts';

export type WorkspaceDeps = {
  readonly api: Pick<Api['workbench'], 'workspace' | 'saveWorkspace'>;
  readonly tabs: Cell<Tabs>;
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
  tabs,
  collapsedGroups,
  sidebar,
  terminalPanels,
  storage,
  isLocal,
  after,
}: WorkspaceDeps): WorkspaceSync {
  const settled = createCell(tabs.get().open.length > 0);
  let adopted = false;
  let adopting = false;
  let underWay = 0;
  /** False once two saves overlapped: the server may have applied the older one last. */
  let isOrderKnown = true;
  let choseFirstScreen = false;
  let cancel: () => void = () => {};

  const current = (): Workspace => {
    const { open, active, splits } = tabs.get();
    const { width, hidden } = sidebar.get();
    return {
      tabs: open.filter((tab) => !isLocal(tab)),
      activeTab: active === null || isLocal(active) ? null : active,
      collapsed: [...collapsedGroups.get()],
      sidebarWidth: hidden ? 0 : width,
      splits: splits.filter((split) => !tabsOfSplit(split).some(isLocal)),
      terminals: terminalPanels.get(),
    };
  };

  const save = async (leaving = false): Promise<void> => {
    cancel();
    if (underWay > 0 && !leaving) return;
    isOrderKnown &&= underWay === 0;
    underWay += 1;
    const sent = current();
    const reply = await api.saveWorkspace(sent, { keepalive: leaving });
    underWay -= 1;
    if (!reply.ok || underWay > 0) return;
    if (isOrderKnown && JSON.stringify(sent) === JSON.stringify(current())) storage.write(key, null);
    else plan();
    isOrderKnown = true;
  };
  const plan = (): void => {
    cancel();
    cancel = after(quietMs, () => void save());
  };

  const adopt = (workspace: Workspace): void => {
    adopting = true;
    const { tabs: open, activeTab = null, splits, split, collapsed, sidebarWidth, terminals } = workspace;
    const held = tabs.get();
    const local = held.open.filter(isLocal);
    const isOwnShown = choseFirstScreen || (held.active !== null && isLocal(held.active));
    const active = isOwnShown ? held.active : activeTab;
    const merged = open === undefined ? null : readTabs({ open: [...open, ...local], active, splits, split });
    if (merged !== null) tabs.set(merged);
    if (terminals !== undefined) terminalPanels.set(terminals);
    if (collapsed !== undefined) collapsedGroups.set(new Set(collapsed));
    if (sidebarWidth !== undefined) {
      const isHidden = sidebarWidth === 0;
      sidebar.set({ width: isHidden ? sidebarLimits.usual : clampWidth(sidebarWidth), hidden: isHidden });
    }
    adopting = false;
  };

  let known = JSON.stringify(current());
  for (const cell of [tabs, collapsedGroups, sidebar, terminalPanels]) {
    cell.subscribe(() => {
      const before = known;
      known = JSON.stringify(current());
      if (adopting) return;
      // Nothing to save. But a user who goes to the first screen before the saved tabs have arrived stays there when
      // they do.
      if (known === before) choseFirstScreen = tabs.get().active === null;
      else {
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
    return adopt(reply.value);
  };

  return {
    settled,
    async connected() {
      await connected();
      settled.set(true);
    },
    flush() {
      if (storage.read(key) !== null) void save(true);
    },
  };
}
