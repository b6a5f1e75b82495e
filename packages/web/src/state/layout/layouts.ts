import { splitOf, tabsOfSplit } from './splits.ts';
import { readTab, sessionOfTab } from './tab-id.ts';
import { noTabs, withBeside, withClosed, withNewId, withShown, type Tabs } from './tabs.ts';
import type { Edge } from './splits.ts';

/** Each project's tabs, and which project is shown. A tab is open in one project only. */
export type Layouts = {
  /** The project whose tabs are shown; `unknownProject` before the projects of the tabs are known. */
  readonly current: string;
  /** The first screen covers the tabs. */
  readonly isHome: boolean;
  /** Only projects with open tabs. */
  readonly byProject: ReadonlyMap<string, Tabs>;
  /** Tabs that were opened before their project was known. They are in the project that was shown then. */
  readonly unplaced: readonly string[];
};

/** The project that a tab belongs to; undefined while that isn't known. */
export type ProjectOf = (tab: string) => string | undefined;

/** Holds the tabs of earlier versions until their projects are known. */
export const unknownProject = '';
export const noLayouts: Layouts = { current: unknownProject, isHome: false, byProject: new Map(), unplaced: [] };

/** The tabs that the page shows. */
export function viewOf({ current, isHome, byProject }: Layouts): Tabs {
  const tabs = byProject.get(current) ?? noTabs;
  return isHome && tabs.active !== null ? { ...tabs, active: null } : tabs;
}

/** The open tabs of all projects. */
export const allTabs = ({ byProject }: Layouts): readonly string[] =>
  [...byProject.values()].flatMap(({ open }) => open);

/** The project in which a tab is open. */
export const placeOf = ({ byProject }: Layouts, id: string): string | undefined =>
  [...byProject].find(([, { open }]) => open.includes(id))?.[0];

/** Changes the tabs of one project. */
export function withTabs(layouts: Layouts, project: string, change: (tabs: Tabs) => Tabs): Layouts {
  const before = layouts.byProject.get(project) ?? noTabs;
  const tabs = change(before);
  if (tabs === before) return layouts;
  const byProject = new Map(layouts.byProject);
  if (tabs.open.length === 0) byProject.delete(project);
  else byProject.set(project, tabs);
  return {
    ...layouts,
    byProject,
    unplaced: layouts.unplaced.filter((id) => tabs.open.includes(id) || !before.open.includes(id)),
  };
}

const into = (layouts: Layouts, project: string): Layouts => ({ ...layouts, current: project, isHome: false });

/**
 * Shows a tab where it is open. A new one opens where its session already has tabs, otherwise in its own project. A
 * terminal opens in the project that is shown, where the user asked for it.
 */
export function showing(layouts: Layouts, id: string, after: string | null, projectOf: ProjectOf): Layouts {
  const held = placeOf(layouts, id) ?? placeOfSession(layouts, id);
  const known = readTab(id).kind === 'terminal' ? layouts.current : projectOf(id);
  const target = held ?? known ?? layouts.current;
  const next = withTabs(into(layouts, target), target, (tabs) => withShown(tabs, id, after));
  return held === undefined && known === undefined ? { ...next, unplaced: [...next.unplaced, id] } : next;
}

function placeOfSession({ byProject }: Layouts, id: string): string | undefined {
  const sessionId = sessionOfTab(id);
  if (sessionId === null) return undefined;
  return [...byProject].find(([, { open }]) => open.some((tab) => sessionOfTab(tab) === sessionId))?.[0];
}

/** Shows a tab next to another one, in the project of that one: the user put it there, wherever it belongs. */
export function showingBeside(layouts: Layouts, id: string, edge: Edge, beside: string | null): Layouts {
  const target = (beside === null ? undefined : placeOf(layouts, beside)) ?? layouts.current;
  const held = placeOf(layouts, id);
  const rest = held === undefined || held === target ? layouts : closing(layouts, id);
  return withTabs(into(rest, target), target, (tabs) => withBeside(tabs, id, edge, beside));
}

export function closing(layouts: Layouts, id: string): Layouts {
  const place = placeOf(layouts, id);
  return place === undefined ? layouts : withTabs(layouts, place, (tabs) => withClosed(tabs, id));
}

export function renaming(layouts: Layouts, from: string, to: string): Layouts {
  const [place, other] = [placeOf(layouts, from), placeOf(layouts, to)];
  if (place === undefined) return layouts;
  const rest = other === undefined || other === place ? layouts : closing(layouts, to);
  return withTabs(rest, place, (tabs) => withNewId(tabs, from, to));
}

/** Shows a project as the user left it. */
export function goingTo(layouts: Layouts, project: string): Layouts {
  const front = (tabs: Tabs): Tabs => (tabs.active === null ? { ...tabs, active: tabs.open[0] ?? null } : tabs);
  return withTabs(into(layouts, project), project, (tabs) => (tabs.open.length === 0 ? tabs : front(tabs)));
}

/** Drops a project and its tabs. Tabs of other projects that were open in it return to those. */
export function forgetting(layouts: Layouts, project: string, projectOf: ProjectOf): Layouts {
  const own = allTabs(layouts).filter(
    (id) => projectOf(id) === project || (projectOf(id) === undefined && placeOf(layouts, id) === project),
  );
  const rest = own.reduce(closing, layouts);
  const guests = rest.byProject.get(project)?.open ?? [];
  const left = guests.reduce((held, id) => moving(held, [id], projectOf(id) ?? unknownProject, false), rest);
  return left.current === project ? { ...left, current: unknownProject, isHome: true } : left;
}

/** Moves tabs, with a split that they form, to another project; optionally shows it if they were visible. */
export function moving(layouts: Layouts, ids: readonly string[], project: string, follows: boolean): Layouts {
  const from = placeOf(layouts, ids[0] ?? '');
  if (from === undefined || from === project) return layouts;
  const before = layouts.byProject.get(from) ?? noTabs;
  const split = splitOf(before.splits, ids[0] ?? '');
  const isWhole = split !== undefined && tabsOfSplit(split).every((id) => ids.includes(id));
  const isFront = before.active !== null && ids.includes(before.active);
  const rest = ids.reduce(closing, layouts);
  const placed = withTabs(rest, project, (tabs) => ({
    open: [...tabs.open, ...ids],
    active: isFront && follows ? before.active : (tabs.active ?? ids[0] ?? null),
    splits: isWhole ? [...tabs.splits, split] : tabs.splits,
  }));
  return isFront && follows && layouts.current === from ? { ...placed, current: project } : placed;
}
