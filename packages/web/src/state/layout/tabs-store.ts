import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';

/** Two sessions side by side; both are open tabs. It is shown while one of the two is active. */
export type Split = { readonly left: string; readonly right: string; readonly ratio: number };

export type Tabs = { readonly open: readonly string[]; readonly active: string | null; readonly split: Split | null };

export type TabsStore = Cell<Tabs> & {
  /** Shows a session; it is open in one tab only. */
  readonly show: (sessionId: string) => void;
  /** Shows a session at the right of the one that is shown. */
  readonly showBeside: (sessionId: string) => void;
  /** One session alone again: the active one. */
  readonly endSplit: () => void;
  /** The left side's share of the width. */
  readonly setRatio: (ratio: number) => void;
  /** Closes the tab, not the session; the neighbour is shown next. */
  readonly close: (sessionId: string) => void;
  /** Closes all tabs but this one. */
  readonly closeOthers: (sessionId: string) => void;
  /** The session has another id now; its tab stays where it is. */
  readonly rename: (from: string, to: string) => void;
  /** Shows the tab `step` places on, round the end. */
  readonly step: (step: number) => void;
  /** Shows the tab at a place, from 0. */
  readonly showAt: (index: number) => void;
  /** Moves a tab by some places. */
  readonly move: (sessionId: string, by: number) => void;
  /** No session: the first screen. Subscribers hear of it also where none was shown: it is a choice either way. */
  readonly leave: () => void;
};

const key = 'liminal.tabs';
export const noTabs: Tabs = { open: [], active: null, split: null };

type Loose = { readonly open?: unknown; readonly active?: unknown; readonly split?: unknown };

/** Tabs as they may be: no session twice, and nothing shown that is not open. */
export function tidyTabs(value: unknown): Tabs | null {
  const { open, active, split } = (value ?? {}) as Loose;
  if (!Array.isArray(open)) return null;
  const ids = [...new Set(open.filter((id): id is string => typeof id === 'string'))];
  const shown = active === null ? null : typeof active === 'string' && ids.includes(active) ? active : (ids[0] ?? null);
  return { open: ids, active: shown, split: tidySplit(split, ids) };
}

function tidySplit(value: unknown, open: readonly string[]): Split | null {
  const { left, right, ratio } = (value ?? {}) as { left?: unknown; right?: unknown; ratio?: unknown };
  if (typeof left !== 'string' || typeof right !== 'string' || left === right) return null;
  if (!open.includes(left) || !open.includes(right)) return null;
  return { left, right, ratio: clampRatio(typeof ratio === 'number' ? ratio : 0.5) };
}

const clampRatio = (ratio: number): number => Math.min(0.8, Math.max(0.2, ratio));

/** The sessions a person sees, from left to right. */
export function shownTabs({ active, split }: Tabs): readonly string[] {
  if (active === null) return [];
  return split !== null && (split.left === active || split.right === active) ? [split.left, split.right] : [active];
}

/** Which sessions are open here, and which one is shown; the same again after a reload. */
export function createTabsStore(storage: Storage): TabsStore {
  const cell = createCell<Tabs>(readJson(storage, key, tidyTabs) ?? noTabs);
  cell.subscribe(() => storage.write(key, JSON.stringify(cell.get())));
  const opened = (open: readonly string[], sessionId: string): readonly string[] =>
    open.includes(sessionId) ? open : [...open, sessionId];
  return {
    ...cell,
    show: (sessionId) => cell.update((tabs) => ({ ...tabs, open: opened(tabs.open, sessionId), active: sessionId })),
    showBeside: (sessionId) =>
      cell.update((tabs) => {
        const left = tabs.active === sessionId ? tabs.open.find((id) => id !== sessionId) : tabs.active;
        if (left === null || left === undefined)
          return { ...tabs, open: opened(tabs.open, sessionId), active: sessionId };
        const split = { left, right: sessionId, ratio: tabs.split?.ratio ?? 0.5 };
        return { open: opened(tabs.open, sessionId), active: sessionId, split };
      }),
    endSplit: () => cell.update((tabs) => (tabs.split === null ? tabs : { ...tabs, split: null })),
    setRatio: (ratio) =>
      cell.update((tabs) =>
        tabs.split === null ? tabs : { ...tabs, split: { ...tabs.split, ratio: clampRatio(ratio) } },
      ),
    close: (sessionId) =>
      cell.update((tabs) => {
        const index = tabs.open.indexOf(sessionId);
        if (index < 0) return tabs;
        const { split } = tabs;
        const open = tabs.open.filter((id) => id !== sessionId);
        const partner = split?.left === sessionId ? split.right : split?.right === sessionId ? split.left : null;
        const next = partner ?? open[Math.min(index, open.length - 1)] ?? null;
        return { open, active: tabs.active === sessionId ? next : tabs.active, split: partner === null ? split : null };
      }),
    closeOthers: (sessionId) =>
      cell.update((tabs) =>
        tabs.open.includes(sessionId) ? { open: [sessionId], active: sessionId, split: null } : tabs,
      ),
    rename: (from, to) =>
      cell.update(({ open, active, split }) => {
        const named = (sessionId: string): string => (sessionId === from ? to : sessionId);
        return {
          open: open.map(named),
          active: active === null ? null : named(active),
          split: split === null ? null : { ...split, left: named(split.left), right: named(split.right) },
        };
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
        return active === undefined || active === tabs.active ? tabs : { ...tabs, active };
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
