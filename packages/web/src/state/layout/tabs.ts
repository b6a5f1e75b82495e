import {
  readSplits,
  splitOf,
  tabsOfSplit,
  withoutTab,
  withRenamed,
  withTabAt,
  type Edge,
  type Split,
} from './splits.ts';

/** The open tabs of one project in order, the active one, and their splits. */
export type Tabs = {
  readonly open: readonly string[];
  readonly active: string | null;
  /** A tab is in at most one of them. A split is shown while one of its tabs is active. */
  readonly splits: readonly Split[];
};

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

const opened = (open: readonly string[], id: string, after: string | null): readonly string[] => {
  if (open.includes(id)) return open;
  const at = after === null ? -1 : open.indexOf(after);
  return at < 0 ? [...open, id] : open.toSpliced(at + 1, 0, id);
};

export const withShown = (tabs: Tabs, id: string, after: string | null): Tabs => ({
  ...tabs,
  open: opened(tabs.open, id, after),
  active: id,
});

/** Shows a tab at an edge of another one; by default of the active one. */
export function withBeside(tabs: Tabs, id: string, edge: Edge, beside: string | null): Tabs {
  const other = beside ?? (tabs.active === id ? tabs.open.find((each) => each !== id) : tabs.active) ?? null;
  const open = opened(tabs.open, id, other);
  if (other === null) return { ...tabs, open, active: id };
  return { open, active: id, splits: withTabAt(tabs.splits, id, other, edge) };
}

/** Without one tab; if it was active, a tab next to it is. */
export function withClosed(tabs: Tabs, id: string): Tabs {
  const index = tabs.open.indexOf(id);
  if (index < 0) return tabs;
  const open = tabs.open.filter((other) => other !== id);
  const beside = shownTabs({ ...tabs, active: id }).filter((other) => other !== id);
  const next = beside.at(-1) ?? open[Math.min(index, open.length - 1)] ?? null;
  return { open, active: tabs.active === id ? next : tabs.active, splits: withoutTab(tabs.splits, id) };
}

export function withNewId(tabs: Tabs, from: string, to: string): Tabs {
  if (from === to || !tabs.open.includes(from)) return tabs;
  const { open, active, splits } = tabs.open.includes(to) ? withClosed(tabs, to) : tabs;
  const named = (id: string): string => (id === from ? to : id);
  return {
    open: open.map(named),
    active: tabs.active === to ? to : active === null ? null : named(active),
    splits: withRenamed(splits, from, to),
  };
}

export function withMoved(tabs: Tabs, id: string, by: number): Tabs {
  const from = tabs.open.indexOf(id);
  const to = Math.min(Math.max(from + by, 0), tabs.open.length - 1);
  if (from < 0 || from === to) return tabs;
  return { ...tabs, open: tabs.open.toSpliced(from, 1).toSpliced(to, 0, id) };
}
