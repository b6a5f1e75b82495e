import { Workspace } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import { createCollapsedStore } from './collapsed-store.ts';
import { createSidebarStore } from './sidebar-store.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createCell } from '../base/cell.ts';
import { shownTabs } from './tabs.ts';
import { createTabsStore } from './tabs-store.ts';
import type { TerminalPanels } from './terminal-panels.ts';
import { syncWorkspace } from './workspace-sync.ts';

/** `gate`: the server answers once this resolves. */
type Server = { kept: Workspace; reachable: boolean; gate?: Promise<void> };

function setup(server: Server, storage = memoryStorage()) {
  const timers = new Set<() => void>();
  const saves: Workspace[] = [];
  const gone = { ok: false, failure: { code: 'UNREACHABLE', message: '' } } as const;
  const parts = {
    tabs: createTabsStore(storage, (tab) => (tab.includes('/') ? tab.split('/')[0] : undefined)),
    collapsedGroups: createCollapsedStore(storage),
    sidebar: createSidebarStore(storage),
    terminalPanels: createCell<TerminalPanels>({}),
  };
  const sync = syncWorkspace({
    ...parts,
    layouts: parts.tabs.layouts,
    storage,
    isLocal: (sessionId) => sessionId.startsWith('local'),
    api: {
      async workspace() {
        await server.gate;
        return server.reachable ? { ok: true, value: server.kept } : gone;
      },
      async saveWorkspace(workspace) {
        saves.push(workspace);
        await server.gate;
        if (!server.reachable) return gone;
        server.kept = workspace;
        return { ok: true, value: {} };
      },
    },
    after(_milliseconds, task) {
      timers.add(task);
      return () => void timers.delete(task);
    },
  });
  const elapse = (): void => {
    const due = [...timers];
    timers.clear();
    for (const task of due) task();
  };
  return { ...parts, sync, elapse, timers, saves };
}

const empty = (): Server => ({ kept: { tabs: [] }, reachable: true });

describe('workspace-sync', () => {
  it('saves once after several changes', async () => {
    const server = empty();
    const { tabs, collapsedGroups, elapse, timers } = setup(server);
    ['a', 'b'].forEach((id) => tabs.show(id));
    collapsedGroups.setCollapsed('p', true);
    expect(timers.size).toBe(1);
    elapse();
    await vi.waitFor(() => expect(server.kept).toMatchObject({ tabs: ['a', 'b'], activeTab: 'b', collapsed: ['p'] }));
  });

  it('prefers the server’s state to the cache, in another browser too', async () => {
    const server = empty();
    server.kept = {
      tabs: ['x', 'y'],
      activeTab: 'y',
      collapsed: ['p'],
      sidebarWidth: 0,
      split: { left: 'x', right: 'y', ratio: 0.3 },
    };
    const storage = memoryStorage();
    storage.write('liminal.tabs', '{"open":["old"],"active":"old"}');
    const { sync, tabs, collapsedGroups, sidebar } = setup(server, storage);
    await sync.connected();
    // The format of earlier versions.
    expect(tabs.get()).toMatchObject({ open: ['x', 'y'], active: 'y' });
    expect(shownTabs(tabs.get())).toEqual(['x', 'y']);
    expect([...collapsedGroups.get()]).toEqual(['p']);
    expect(sidebar.get().hidden).toBe(true);
  });

  it('keeps all kinds of tabs, their splits, and the terminal panel of each project', async () => {
    const server = empty();
    const before = setup(server);
    ['a', 'file:a:x.ts', 'terminal:t'].forEach((id) => before.tabs.show(id));
    before.tabs.showBeside('file:a:x.ts', 'bottom', 'a');
    before.terminalPanels.set({ p: { isShown: true, height: 300, terminalId: 't2' } });
    before.elapse();
    await vi.waitFor(() => expect(Workspace.parse(server.kept).splits).toHaveLength(1));
    const after = setup(server);
    await after.sync.connected();
    expect(after.tabs.get()).toEqual(before.tabs.get());
    expect(after.terminalPanels.get()).toEqual(before.terminalPanels.get());
  });

  it('keeps the tabs of each project, also in another browser', async () => {
    const server = empty();
    const before = setup(server);
    ['shop/1', 'shop/2', 'site/1', 'site/2'].forEach((id) => before.tabs.show(id));
    before.tabs.showBeside('site/1', 'left', 'site/2');
    before.tabs.show('shop/1');
    before.elapse();
    await vi.waitFor(() => expect(Workspace.parse(server.kept).project).toBe('shop'));
    expect(server.kept.tabs).toEqual(['shop/1', 'shop/2', 'site/1', 'site/2']);
    const after = setup(server);
    await after.sync.connected();
    expect(after.tabs.get()).toMatchObject({ open: ['shop/1', 'shop/2'], active: 'shop/1' });
    after.tabs.goTo('site');
    expect(shownTabs(after.tabs.get())).toEqual(['site/1', 'site/2']);
  });

  it('doesn’t save that something is gone: another browser may have arranged its tabs since', async () => {
    const server = empty();
    const { tabs, sync, elapse, timers, saves } = setup(server);
    await sync.connected();
    ['a', 'b', 'c'].forEach((id) => tabs.show(id));
    elapse();
    await vi.waitFor(() => expect(saves).toHaveLength(1));
    await vi.waitFor(() => expect(server.kept.tabs).toEqual(['a', 'b', 'c']));
    server.kept = { tabs: ['c', 'a', 'other'], activeTab: 'other' };
    sync.withoutSaving(() => tabs.close('b'));
    expect(tabs.get().open).toEqual(['a', 'c']);
    expect(timers.size).toBe(0);
    sync.flush();
    await sync.connected();
    expect(saves).toHaveLength(1);
    // The user's next change is saved, without what is gone.
    tabs.show('d');
    elapse();
    await vi.waitFor(() => expect(server.kept.tabs).toEqual(['a', 'c', 'd']));
  });

  it('doesn’t save again because something went while a save was under way', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const storage = memoryStorage();
    const { tabs, sync, elapse, timers } = setup({ ...empty(), gate }, storage);
    ['a', 'b'].forEach((id) => tabs.show(id));
    elapse();
    sync.withoutSaving(() => tabs.close('b'));
    resolve();
    await vi.waitFor(() => expect(storage.read('liminal.workspace.unsent')).toBeNull());
    expect(timers.size).toBe(0);
  });

  it('keeps changes made while the server was away through a reload, and then saves them', async () => {
    const server = { ...empty(), reachable: false };
    server.kept = { tabs: ['old'] };
    const storage = memoryStorage();
    const before = setup(server, storage);
    before.tabs.show('new');
    before.elapse();
    const after = setup(server, storage);
    server.reachable = true;
    await after.sync.connected();
    expect(after.tabs.get().open).toEqual(['new']);
    expect(server.kept.tabs).toEqual(['new']);
  });

  it('keeps changes made while the layout was loading', async () => {
    const asked = Promise.withResolvers<void>();
    const server: Server = { ...empty(), kept: { tabs: ['theirs'] }, gate: asked.promise };
    const { sync, tabs, elapse } = setup(server);
    const connected = sync.connected();
    tabs.show('mine');
    asked.resolve();
    await connected;
    expect(tabs.get().open).toEqual(['mine']);
    elapse();
    await vi.waitFor(() => expect(server.kept.tabs).toEqual(['mine']));
  });

  it('opens the saved tabs in the background for a user who went to the first screen before they arrived', async () => {
    const asked = Promise.withResolvers<void>();
    const server: Server = { ...empty(), kept: { tabs: ['x', 'y'], activeTab: 'y' }, gate: asked.promise };
    const { sync, tabs, timers } = setup(server);
    const connected = sync.connected();
    tabs.leave();
    asked.resolve();
    await connected;
    expect(tabs.get()).toMatchObject({ open: ['x', 'y'], active: null });
    expect(timers.size).toBe(0);
    expect(server.kept.tabs).toEqual(['x', 'y']);
  });

  it('saves changes made during a save again, after that save has ended', async () => {
    const saved = Promise.withResolvers<void>();
    const server: Server = { ...empty(), gate: saved.promise };
    const storage = memoryStorage();
    const { tabs, elapse, timers, saves } = setup(server, storage);
    tabs.show('a');
    elapse();
    tabs.show('b');
    elapse();
    expect(saves.map((save) => save.tabs)).toEqual([['a']]);
    saved.resolve();
    await vi.waitFor(() => expect(timers.size).toBe(1));
    expect(storage.read('liminal.workspace.unsent')).not.toBeNull();
    elapse();
    await vi.waitFor(() => expect(storage.read('liminal.workspace.unsent')).toBeNull());
    expect(server.kept.tabs).toEqual(['a', 'b']);
    expect(timers.size).toBe(0);
  });

  it('loads only once: a reconnect doesn’t change the user’s tabs', async () => {
    const server = empty();
    const { sync, tabs } = setup(server);
    await sync.connected();
    server.kept = { tabs: ['elsewhere'] };
    await sync.connected();
    expect(tabs.get().open).toEqual([]);
  });

  it('doesn’t save what only this browser has, and keeps it open when the server’s layout arrives', async () => {
    const storage = memoryStorage();
    const server = { kept: { tabs: ['a'], activeTab: 'a' } as Workspace, reachable: true };
    const before = setup(server, storage);
    await before.sync.connected();
    before.tabs.show('local');
    before.elapse();
    await vi.waitFor(() => expect(server.kept).toMatchObject({ tabs: ['a'], activeTab: null }));
    server.kept = { tabs: ['a', 'b'], activeTab: 'b' };
    const after = setup(server, storage);
    await after.sync.connected();
    expect(after.tabs.get()).toMatchObject({ open: ['a', 'b', 'local'], active: 'local' });
  });

  it('saves again after two saves overlapped, because the server may have applied the older one last', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const server: Server = { ...empty(), gate };
    const storage = memoryStorage();
    const { tabs, sync, elapse, saves } = setup(server, storage);
    tabs.show('a');
    elapse();
    tabs.show('b');
    sync.flush();
    expect(saves).toHaveLength(2);
    resolve();
    await vi.waitFor(() => expect(server.kept.tabs).toEqual(['a', 'b']));
    await Promise.resolve();
    expect(storage.read('liminal.workspace.unsent')).toBe('1');
    elapse();
    await vi.waitFor(() => expect(storage.read('liminal.workspace.unsent')).toBeNull());
    expect(saves.at(-1)?.tabs).toEqual(['a', 'b']);
    expect(saves).toHaveLength(3);
  });
});
