import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';
import {
  allTabs,
  closing,
  forgetting,
  goingTo,
  moving,
  noLayouts,
  placeOf,
  renaming,
  showing,
  showingBeside,
  viewOf,
  withTabs,
  type Layouts,
  type ProjectOf,
} from './layouts.ts';
import { placed } from './place-tabs.ts';
import { splitOf, withBorderAt, withoutTab, type Border, type Edge } from './splits.ts';
import { readLayouts, toStored } from './stored-layouts.ts';
import { shownTabs, withMoved, type Tabs } from './tabs.ts';

/** The tabs of the project that is shown, and what the user does with tabs of any project. */
export type TabsStore = Pick<Cell<Tabs>, 'get' | 'subscribe'> & {
  /**
   * Calls back when the user has chosen what to see: a tab, a project or the first screen. Renaming, closing and placing
   * tabs doesn't count: that also happens in the background, while the user types somewhere else.
   */
  readonly onChoice: (listener: () => void) => () => void;
  /** The tabs of each project. */
  readonly layouts: Cell<Layouts>;
  /** The open tabs of all projects. */
  readonly all: () => readonly string[];
  /** Shows something in its only tab, and the project it is in. A new tab is added at the end, or after the given one. */
  readonly show: (id: string, after?: string | null) => void;
  /** The same, but isn't a choice: what covers the tabs stays. */
  readonly showBehind: (id: string) => void;
  /** Shows a tab at an edge of another one; by default of the active one. */
  readonly showBeside: (id: string, edge?: Edge, beside?: string | null) => void;
  /** Shows a project's tabs as the user left them. */
  readonly goTo: (project: string) => void;
  /** Shows only the active tab again. */
  readonly endSplit: () => void;
  /** Removes one tab from its split; another one of it becomes active. */
  readonly takeOut: (id: string) => void;
  /** Moves a border of the shown split. */
  readonly moveBorder: (border: Border, ratio: number) => void;
  /** Closes the tab, but doesn't end what it shows; the neighbour becomes active. */
  readonly close: (id: string) => void;
  /** Closes all other tabs of its project. */
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
  /** The projects of more tabs may be known now: moves those tabs there. */
  readonly place: () => void;
  /** A project was removed: closes its tabs. */
  readonly forget: (project: string) => void;
};

const key = 'liminal.tabs';

/** The open and visible tabs of this browser; survives a reload. */
export function createTabsStore(storage: Storage, projectOf: ProjectOf = () => undefined): TabsStore {
  const cell = createCell<Layouts>(readJson(storage, key, readLayouts) ?? noLayouts);
  let view = viewOf(cell.get());
  cell.subscribe(() => {
    view = viewOf(cell.get());
    storage.write(key, JSON.stringify(toStored(cell.get())));
  });
  const choices = createCell(0);
  const choose = (task: (layouts: Layouts) => Layouts): void => {
    const before = cell.get();
    cell.update(task);
    if (cell.get() !== before) choices.update((count) => count + 1);
  };
  /** Changes the project that is shown. What becomes active is shown. */
  const change = (task: (tabs: Tabs) => Tabs, update = cell.update): void =>
    update((layouts) => {
      const tabs = task(view);
      return tabs === view ? layouts : withTabs({ ...layouts, isHome: false }, layouts.current, () => tabs);
    });
  /** Tabs of other projects return there when they are no longer next to one of this project. */
  const returned = (layouts: Layouts, ids: readonly string[]): Layouts =>
    ids.reduce((held, id) => {
      const home = projectOf(id);
      return home === undefined || home === held.current ? held : moving(held, [id], home, false);
    }, layouts);
  const inSplit = (layouts: Layouts, task: (tabs: Tabs) => Tabs): Layouts => withTabs(layouts, layouts.current, task);

  return {
    get: () => view,
    subscribe: cell.subscribe,
    onChoice: choices.subscribe,
    layouts: cell,
    all: () => allTabs(cell.get()),
    show: (id, after = null) => choose((layouts) => showing(layouts, id, after, projectOf)),
    showBehind: (id) => cell.update((layouts) => showing(layouts, id, null, projectOf)),
    showBeside: (id, edge = 'right', beside = null) => choose((layouts) => showingBeside(layouts, id, edge, beside)),
    goTo: (project) => choose((layouts) => goingTo(layouts, project)),
    endSplit: () =>
      cell.update((layouts) => {
        const shown = splitOf(view.splits, view.active);
        if (shown === undefined) return layouts;
        const others = shownTabs(view).filter((id) => id !== view.active);
        const ended = inSplit(layouts, (tabs) => ({ ...tabs, splits: tabs.splits.filter((split) => split !== shown) }));
        return returned(ended, others);
      }),
    takeOut: (id) =>
      cell.update((layouts) => {
        const others = shownTabs(view).filter((other) => other !== id);
        const out = inSplit(layouts, (tabs) => ({
          ...tabs,
          active: tabs.active === id ? (others[0] ?? id) : tabs.active,
          splits: withoutTab(tabs.splits, id),
        }));
        return others.length === 0 ? out : returned(out, [id]);
      }),
    moveBorder: (border, ratio) =>
      change((tabs) => {
        const shown = splitOf(tabs.splits, tabs.active);
        if (shown === undefined) return tabs;
        const moved = withBorderAt(shown, border, ratio);
        return { ...tabs, splits: tabs.splits.map((split) => (split === shown ? moved : split)) };
      }),
    close: (id) => cell.update((layouts) => closing(layouts, id)),
    closeOthers: (id) =>
      choose((layouts) => {
        const place = placeOf(layouts, id);
        if (place === undefined) return layouts;
        return withTabs({ ...layouts, isHome: false }, place, () => ({ open: [id], active: id, splits: [] }));
      }),
    rename: (from, to) => cell.update((layouts) => renaming(layouts, from, to)),
    step: (step) =>
      change((tabs) => {
        if (tabs.open.length === 0) return tabs;
        const index = tabs.active === null ? -Math.min(step, 0) : tabs.open.indexOf(tabs.active) + step;
        return { ...tabs, active: tabs.open.at(index % tabs.open.length) ?? null };
      }, choose),
    showAt: (index) =>
      change((tabs) => {
        const active = tabs.open[index];
        return active === undefined || active === tabs.active ? tabs : { ...tabs, active };
      }, choose),
    move: (id, by) => cell.update((layouts) => inSplit(layouts, (tabs) => withMoved(tabs, id, by))),
    leave: () => choose((layouts) => ({ ...layouts, isHome: true })),
    place: () => cell.update((layouts) => placed(layouts, projectOf)),
    forget: (project) => cell.update((layouts) => forgetting(layouts, project, projectOf)),
  };
}
