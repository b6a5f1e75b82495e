import { describe, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createCell } from '../base/cell.ts';
import type { ShownComparison } from '../compare/compare-store.ts';
import { createPanelStore } from '../layout/panel-store.ts';
import { createTabsStore } from '../layout/tabs-store.ts';
import { createRequestedSessions } from './requested-sessions.ts';

const comparison: ShownComparison = { compareId: 'c', comparison: null, failure: null };

function setup() {
  const tabs = createTabsStore(memoryStorage());
  tabs.show('first');
  const panels = createPanelStore(memoryStorage());
  const shown = createCell<ShownComparison | null>(null);
  // As in the workbench: a choice closes what covers the tabs.
  tabs.onChoice(() => {
    panels.inbox.set(false);
    shown.set(null);
  });
  const loaded = Promise.withResolvers<never>();
  const requested = createRequestedSessions({
    api: { session: { load: () => loaded.promise }, workbench: { startDemo: () => loaded.promise } },
    tabs,
    panels,
    comparing: { shown },
    drafts: { isEmpty: () => true, move: vi.fn() },
    startForm: { current: createCell<string | null>(null) },
    refresh: async () => {},
  });
  const answer = () =>
    loaded.resolve({ ok: true, value: { sessionId: 'new', cliType: 'demo', projectId: 'p' } } as never);
  return { requested, tabs, panels, shown, answer };
}

describe('a session that the user requested', () => {
  it('is shown once it is there, and closes the screen that it was requested from', async () => {
    const { requested, tabs, panels, shown, answer } = setup();
    panels.inbox.set(true);
    shown.set(comparison);
    const loading = requested.load('new', {});
    answer();
    await loading;
    expect([tabs.get().active, panels.inbox.get(), shown.get()]).toEqual(['new', false, null]);
    expect(panels.composerFocus.get()).toBe('new');
  });

  it('IN-2: leaves the inbox or a comparison open that the user opened meanwhile', async () => {
    const { requested, tabs, panels, shown, answer } = setup();
    const loading = requested.load('new', {});
    const show = requested.showWhenReady();
    panels.inbox.set(true);
    answer();
    await loading;
    expect([tabs.get().active, panels.inbox.get()]).toEqual(['new', true]);
    expect(panels.composerFocus.get()).toBeNull();
    panels.inbox.set(false);
    shown.set(comparison);
    show('forked');
    expect([tabs.get().active, shown.get()]).toEqual(['forked', comparison]);
  });
});
