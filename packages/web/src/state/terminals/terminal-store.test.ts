import type { TerminalSummary } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { createTerminalStore } from './terminal-store.ts';

const terminal = (terminalId: string): TerminalSummary => ({
  terminalId,
  projectId: 'p',
  folder: '/repo',
  title: 'bash',
  kind: 'shell',
  cols: 80,
  rows: 24,
  running: true,
  createdAt: '2026-01-01T00:00:00.000Z',
});

function setup(...listed: readonly string[]) {
  const inTabs = new Set<string>();
  const store = createTerminalStore({
    api: {
      open: async () => ({ ok: true, value: { terminalId: 'new' } }),
      remove: async () => ({ ok: true, value: {} }),
    } as never,
    say: () => {},
    tabs: {
      has: (id) => inTabs.has(id),
      show: (id) => void inTabs.add(id),
      close: (id) => void inTabs.delete(id),
    },
  });
  const list = (...ids: readonly string[]): boolean =>
    store.hear({ type: 'terminals:changed', terminals: ids.map(terminal) });
  if (listed.length > 0) list(...listed);
  return { store, list, shown: () => store.panel().shown?.terminalId };
}

describe('TM-1: the terminal in the panel', () => {
  it('is the chosen one, or the newest if the chosen one has ended, in whichever order the events arrive', () => {
    const late = setup('t1', 't2');
    late.store.chosen.set('ended');
    expect(late.shown()).toBe('t2');
    late.store.chosen.set('t1');
    expect(late.shown()).toBe('t1');
    const early = setup();
    early.store.chosen.set('ended');
    expect(early.shown()).toBeUndefined();
    early.list('t1');
    expect(early.shown()).toBe('t1');
  });

  it('is the one just opened, even if others are listed first', async () => {
    const { store, list, shown } = setup('t1');
    await store.open('p');
    list('t1');
    expect(shown()).toBe('t1');
    list('t1', 'new');
    expect([shown(), store.isShown.get()]).toEqual(['new', true]);
  });

  it('takes the focus when the user asks for a terminal, not when a panel is restored or a list arrives', async () => {
    const { store, list } = setup('t1');
    const asked = () => store.focusRequest.get();
    store.isShown.set(true);
    store.chosen.set('t1');
    list('t1', 't2');
    expect(asked()).toBeNull();
    await store.open('p');
    expect(asked()).toEqual({ terminalId: 'new' });
    store.choose('t1');
    expect(asked()).toEqual({ terminalId: 't1' });
    store.toggle(undefined);
    expect(asked()).toBeNull();
    store.toggle(undefined);
    expect(asked()).toEqual({});
    store.focusRequest.set(null);
    void store.close('t2');
    expect(asked()).toBeNull();
  });

  it('excludes terminals in tabs; a panel without terminals closes', () => {
    const { store, shown } = setup('t1', 't2');
    store.isShown.set(true);
    store.toTab('t2');
    expect([shown(), store.isShown.get()]).toEqual(['t1', true]);
    store.toTab('t1');
    expect([shown(), store.isShown.get()]).toEqual([undefined, false]);
    store.toPanel('t1');
    expect([shown(), store.isShown.get()]).toEqual(['t1', true]);
  });
});
