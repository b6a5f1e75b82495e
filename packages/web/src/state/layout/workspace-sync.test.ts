import type { Workspace } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import { createFoldStore } from './fold-store.ts';
import { createSidebarStore } from './sidebar-store.ts';
import { safeStorage } from '../../browser/storage.ts';
import { createTabsStore } from './tabs-store.ts';
import { syncWorkspace } from './workspace-sync.ts';

const memory = () =>
  safeStorage(() => {
    throw new Error('none');
  });

function set(server: { kept: Workspace; reachable: boolean }, storage = memory()) {
  const timers: Array<() => void> = [];
  const gone = { ok: false, failure: { code: 'UNREACHABLE', message: '' } } as const;
  const parts = {
    tabs: createTabsStore(storage),
    folds: createFoldStore(storage),
    sidebar: createSidebarStore(storage),
  };
  const sync = syncWorkspace({
    ...parts,
    storage,
    isLocal: (sessionId) => sessionId.startsWith('local'),
    api: {
      workspace: async () => (server.reachable ? { ok: true, value: server.kept } : gone),
      async saveWorkspace(workspace) {
        if (!server.reachable) return gone;
        server.kept = workspace;
        return { ok: true, value: {} };
      },
    },
    after(_milliseconds, task) {
      timers.push(task);
      return () => timers.splice(timers.indexOf(task), 1);
    },
  });
  const elapse = (): void => timers.splice(0).forEach((task) => task());
  return { ...parts, sync, elapse, timers };
}

const empty = () => ({ kept: { tabs: [] } as Workspace, reachable: true });

describe('workspace-sync', () => {
  it('tells the server once after several changes', async () => {
    const server = empty();
    const { tabs, folds, elapse, timers } = set(server);
    ['a', 'b'].forEach(tabs.show);
    folds.fold('p', true);
    expect(timers).toHaveLength(1);
    elapse();
    await vi.waitFor(() => expect(server.kept).toMatchObject({ tabs: ['a', 'b'], activeTab: 'b', collapsed: ['p'] }));
  });

  it('takes the server’s word over the cache, in another browser too', async () => {
    const server = empty();
    server.kept = {
      tabs: ['x', 'y'],
      activeTab: 'y',
      collapsed: ['p'],
      sidebarWidth: 0,
      split: { left: 'x', right: 'y', ratio: 0.3 },
    };
    const storage = memory();
    storage.write('liminal.tabs', '{"open":["old"],"active":"old"}');
    const { sync, tabs, folds, sidebar } = set(server, storage);
    await sync.connected();
    expect(tabs.get()).toEqual({ open: ['x', 'y'], active: 'y', split: { left: 'x', right: 'y', ratio: 0.3 } });
    expect([...folds.get()]).toEqual(['p']);
    expect(sidebar.get().hidden).toBe(true);
  });

  it('keeps what was changed while the server was away, through a reload, and tells it then', async () => {
    const server = { ...empty(), reachable: false };
    server.kept = { tabs: ['old'] };
    const storage = memory();
    const before = set(server, storage);
    before.tabs.show('new');
    before.elapse();
    const after = set(server, storage);
    server.reachable = true;
    await after.sync.connected();
    expect(after.tabs.get().open).toEqual(['new']);
    expect(server.kept.tabs).toEqual(['new']);
  });

  it('asks only once: a reconnect changes no tabs under the person’s hands', async () => {
    const server = empty();
    const { sync, tabs } = set(server);
    await sync.connected();
    server.kept = { tabs: ['elsewhere'] };
    await sync.connected();
    expect(tabs.get().open).toEqual([]);
  });

  it('keeps to itself what only this browser has, and leaves it open when the server says what else is', async () => {
    const storage = memory();
    const server = { kept: { tabs: ['a'], activeTab: 'a' } as Workspace, reachable: true };
    const before = set(server, storage);
    await before.sync.connected();
    before.tabs.show('local');
    before.elapse();
    await vi.waitFor(() => expect(server.kept).toMatchObject({ tabs: ['a'], activeTab: null }));
    server.kept = { tabs: ['a', 'b'], activeTab: 'b' };
    const after = set(server, storage);
    await after.sync.connected();
    expect(after.tabs.get()).toMatchObject({ open: ['a', 'b', 'local'], active: 'local' });
  });
});
