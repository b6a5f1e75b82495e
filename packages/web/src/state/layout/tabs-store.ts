import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';
import {
  readSplits,
  splitOf,
  tabsOfSplit,
  withBorderAt,
  withoutTab,
  withRenamed,
  withTabAt,
  type Border,
  type Edge,
  type Split,
} from './splits.ts';

/** The open tabs in order, the active one, and their splits. */
export type Tabs = {
  readonly open: readonly string[];
  readonly active: string | null;
  /** A tab is in at most one of them. A split is shown while one of its tabs is active. */
  readonly splits: readonly Split[];
};

export type TabsStore = Cell<Tabs> & {
  /** Shows something in its only tab. A new tab is added at the end, or right after the given one. */
  readonly show: (id: string, after?: string | null) => void;
  /** Shows a tab at an edge of another one; by default of the active one. */
  readonly showBeside: (id: string, edge?: Edge, beside?: string | null) => void;
  /** Shows only the active tab again. */
  readonly endSplit: () => void;
  /** Removes one tab from its split; another one of it becomes active. */
  readonly takeOut: (id: string) => void;
  /** Moves a border of the shown split. */
  readonly moveBorder: (border: Border, ratio: number) => void;
  /** Closes the tab, but doesn't end what it shows; the neighbour becomes active. */
  readonly close: (id: string) => void;
  /** Closes all tabs but this one. */
  readonly closeOthers: (id: string) => void;
  /** Changes what a tab shows. If that is already open, this becomes its only tab. */
  readonly rename: (from: string, to: string) => void;
  /** Activates the tab `step` positions further, wrapping around. */
  readonly step: (step: number) => void;
  /** Activates the tab at an index. */
  readonly showAt: (index: number) => void;
  /** Moves a tab by some positions. */
  readonly move: (id: string, by: number) => void;
  /**
   * Activates no tab, which shows the first screen. Notifies subscribers even if none was active: it is a choice either
   * way.
   */
  readonly leave: () => void;
};

const key = 'liminal.tabs';
export const noTabs: Tabs = { open: [], active: null, splits: [] };

/**
 * Reads tabs and makes them valid: no duplicates, and only open ones visible. Accepts those of earlier versions, too.
 */
export function readTabs(value: unknown): Tabs | null {
  const { open, active, split, splits } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(open)) return null;
  const ids = [...new Set(open.filter((id): id is string => typeof id === 'string'))];
  const shown = active === null ? null : typeof active === 'string' && ids.includes(active) ? active : (ids[0] ?? null);
  return { open: ids, active: shown, splits: readSplits(splits ?? split, ids) };
}

/** The visible tabs, column by column. */
export function shownTabs({ active, splits }: Tabs): readonly string[] {
  if (active === null) return [];
  const split = splitOf(splits, active);
  return split === undefined ? [active] : tabsOfSplit(split);
}

const opened = (open: readonly string[], id: string, after: string | null = null): readonly string[] => {
  if (open.includes(id)) return open;
  const at = after === null ? -1 : open.indexOf(after);
  return at < 0 ? [...open, id] : open.toSpliced(at + 1, 0, id);
};

function closed(tabs: Tabs, id: string): Tabs {
  const index = tabs.open.indexOf(id);
  if (index < 0) return tabs;
  const open = tabs.open.filter((other) => other !== id);
  const beside = shownTabs({ ...tabs, active: id }).filter((other) => other !== id);
  const next = beside.at(-1) ?? open[Math.min(index, open.length - 1)] ?? null;
  return { open, active: tabs.active === id ? next : tabs.active, splits: withoutTab(tabs.splits, id) };
}

/** The open and visible tabs of this browser; survives a reload. */
export function createTabsStore(storage: Storage): TabsStore {
  const cell = createCell<Tabs>(readJson(storage, key, readTabs) ?? noTabs);
  cell.subscribe(() => storage.write(key, JSON.stringify(cell.get())));
  return {
    ...cell,
    show: (id, after = null) => cell.update((tabs) => ({ ...tabs, open: opened(tabs.open, id, after), active: id })),
    showBeside: (id, edge = 'right', beside = null) =>
      cell.update((tabs) => {
        const other = beside ?? (tabs.active === id ? tabs.open.find((each) => each !== id) : tabs.active);
        const open = opened(tabs.open, id, other ?? null);
        if (other === null || other === undefined) return { ...tabs, open, active: id };
        return { open, active: id, splits: withTabAt(tabs.splits, id, other, edge) };
      }),
    endSplit: () =>
      cell.update((tabs) => {
        const shown = splitOf(tabs.splits, tabs.active);
        return shown === undefined ? tabs : { ...tabs, splits: tabs.splits.filter((split) => split !== shown) };
      }),
    takeOut: (id) =>
      cell.update((tabs) => {
        const beside = shownTabs(tabs).filter((other) => other !== id);
        const active = tabs.active === id ? (beside[0] ?? id) : tabs.active;
        return { ...tabs, active, splits: withoutTab(tabs.splits, id) };
      }),
    moveBorder: (border, ratio) =>
      cell.update((tabs) => {
        const shown = splitOf(tabs.splits, tabs.active);
        if (shown === undefined) return tabs;
        const moved = withBorderAt(shown, border, ratio);
        return { ...tabs, splits: tabs.splits.map((split) => (split === shown ? moved : split)) };
      }),
    close: (id) => cell.update((tabs) => closed(tabs, id)),
    closeOthers: (id) =>
      cell.update((tabs) => (tabs.open.includes(id) ? { open: [id], active: id, splits: [] } : tabs)),
    rename: (from, to) =>
      cell.update((tabs) => {
        if (from === to || !tabs.open.includes(from)) return tabs;
        const { open, active, splits } = tabs.open.includes(to) ? closed(tabs, to) : tabs;
        const named = (id: string): string => (id === from ? to : id);
        return {
          open: open.map(named),
          active: tabs.active === to ? to : active === null ? null : named(active),
          splits: withRenamed(splits, from, to),
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
    move: (id, by) =>
      cell.update((tabs) => {
        const from = tabs.open.indexOf(id);
        const to = Math.min(Math.max(from + by, 0), tabs.open.length - 1);
        if (from < 0 || from === to) return tabs;
        return { ...tabs, open: tabs.open.toSpliced(from, 1).toSpliced(to, 0, id) };
      }),
    leave: () => cell.update((tabs) => ({ ...tabs, active: null })),
  };
}
