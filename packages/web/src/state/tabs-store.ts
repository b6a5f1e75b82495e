import { createCell, type Cell } from './cell.ts';
import { readJson, type Storage } from './storage.ts';

export type Tabs = { readonly open: readonly string[]; readonly active: string | null };

export type TabsStore = Cell<Tabs> & {
  /** Shows a session; it is open in one tab only. */
  readonly show: (sessionId: string) => void;
  /** Closes the tab, not the session; the neighbour is shown next. */
  readonly close: (sessionId: string) => void;
  /** Shows the tab `step` places on, round the end. */
  readonly step: (step: number) => void;
  /** Shows the tab at a place, from 0. */
  readonly showAt: (index: number) => void;
  /** Moves a tab by some places. */
  readonly move: (sessionId: string, by: number) => void;
  /** No session: the first screen. */
  readonly leave: () => void;
};

const key = 'liminal.tabs';

function check(value: unknown): Tabs | null {
  const { open, active } = (value ?? {}) as { open?: unknown; active?: unknown };
  if (!Array.isArray(open)) return null;
  const ids = [...new Set(open.filter((id): id is string => typeof id === 'string'))];
  return { open: ids, active: typeof active === 'string' && ids.includes(active) ? active : (ids[0] ?? null) };
}

/** Which sessions are open here, and which one is shown; the same again after a reload. */
export function createTabsStore(storage: Storage): TabsStore {
  const cell = createCell<Tabs>(readJson(storage, key, check) ?? { open: [], active: null });
  cell.subscribe(() => storage.write(key, JSON.stringify(cell.get())));
  return {
    ...cell,
    show: (sessionId) =>
      cell.update((tabs) => ({
        open: tabs.open.includes(sessionId) ? tabs.open : [...tabs.open, sessionId],
        active: sessionId,
      })),
    close: (sessionId) =>
      cell.update((tabs) => {
        const index = tabs.open.indexOf(sessionId);
        if (index < 0) return tabs;
        const open = tabs.open.filter((id) => id !== sessionId);
        const active = tabs.active === sessionId ? (open[Math.min(index, open.length - 1)] ?? null) : tabs.active;
        return { open, active };
      }),
    step: (step) =>
      cell.update((tabs) => {
        if (tabs.open.length === 0) return tabs;
        const index = tabs.active === null ? -Math.min(step, 0) : tabs.open.indexOf(tabs.active) + step;
        return { ...tabs, active: tabs.open.at(index % tabs.open.length) ?? null };
      }),
    showAt: (index) =>
      cell.update((tabs) => {
        const active = tabs.open[index];
        return active === undefined ? tabs : { ...tabs, active };
      }),
    move: (sessionId, by) =>
      cell.update((tabs) => {
        const from = tabs.open.indexOf(sessionId);
        const to = Math.min(Math.max(from + by, 0), tabs.open.length - 1);
        if (from < 0 || from === to) return tabs;
        return { ...tabs, open: tabs.open.toSpliced(from, 1).toSpliced(to, 0, sessionId) };
      }),
    leave: () => cell.update((tabs) => ({ ...tabs, active: null })),
  };
}
