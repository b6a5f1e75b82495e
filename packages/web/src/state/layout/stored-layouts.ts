import type { Workspace } from '@liminal/contracts';
import { noLayouts, placeOf, unknownProject, viewOf, withTabs, type Layouts } from './layouts.ts';
import { tabsOfSplit } from './splits.ts';
import { readTabs, type Tabs } from './tabs.ts';

type StoredLayouts = Pick<Workspace, 'tabs' | 'activeTab' | 'splits' | 'project' | 'layouts'>;

/** Layouts as they are stored, with only some of the tabs. */
export function toStored(layouts: Layouts, isKept: (tab: string) => boolean = () => true): StoredLayouts {
  const kept = ({ open, active, splits }: Tabs) => ({
    tabs: open.filter(isKept),
    activeTab: active !== null && isKept(active) ? active : null,
    splits: splits.filter((split) => tabsOfSplit(split).every(isKept)),
  });
  const isUnknown = ([project]: readonly [string, unknown]): boolean => project === unknownProject;
  const all = [...layouts.byProject]
    .toSorted((one, other) => Number(isUnknown(one)) - Number(isUnknown(other)))
    .map(([project, tabs]) => [project, kept(tabs)] as const);
  return {
    tabs: all.flatMap(([, { tabs }]) => tabs),
    activeTab: kept(viewOf(layouts)).activeTab,
    splits: all.flatMap(([, { splits }]) => splits),
    project: layouts.current === unknownProject ? null : layouts.current,
    layouts: Object.fromEntries(all.filter((each) => !isUnknown(each) && each[1].tabs.length > 0)),
  };
}

/** Reads stored layouts and makes them valid. Earlier versions had one list of tabs, which isn't divided yet. */
export function readLayouts(value: unknown): Layouts | null {
  const stored = (value ?? {}) as Record<string, unknown>;
  const { tabs, open = tabs, activeTab, active = activeTab, split, splits, project, layouts } = stored;
  const all = readTabs({ open, active, split, splits });
  if (all === null) return null;
  const byProject = new Map<string, Tabs>();
  const isFree = (id: unknown): boolean => ![...byProject.values()].some((each) => each.open.includes(String(id)));
  for (const [projectId, layout] of Object.entries(layouts ?? {})) {
    const held = (layout ?? {}) as Record<string, unknown>;
    if (projectId !== unknownProject && Array.isArray(held['tabs']))
      add(projectId, held['tabs'], held['activeTab'], held['splits']);
  }
  add(unknownProject, all.open, all.active, splits ?? split);
  const [first = unknownProject] = byProject.keys();
  const chosen = typeof project === 'string' ? project : byProject.has(unknownProject) ? unknownProject : first;
  const read: Layouts = { ...noLayouts, byProject, current: chosen };
  if (all.active === null) return { ...read, isHome: byProject.has(chosen) };
  const current = placeOf(read, all.active) ?? chosen;
  return withTabs({ ...read, current }, current, (held) => ({ ...held, active: all.active }));

  function add(projectId: string, ids: readonly unknown[], front: unknown, parts: unknown): void {
    const read = readTabs({ open: ids.filter(isFree), active: front, splits: parts });
    if (read !== null && read.open.length > 0) byProject.set(projectId, read);
  }
}

/** Adds the tabs that only this browser has to the layouts from the server. `isOwn`: what is shown here stays. */
export function withLocalTabs(
  read: Layouts,
  here: Layouts,
  isLocal: (tab: string) => boolean,
  isOwn: boolean,
): Layouts {
  let merged = read;
  for (const [project, { open, active }] of here.byProject) {
    const local = open.filter(isLocal);
    if (local.length === 0) continue;
    merged = withTabs(merged, project, (tabs) => ({
      ...tabs,
      open: [...tabs.open, ...local],
      active: tabs.active === null || (isOwn && active !== null && isLocal(active)) ? active : tabs.active,
    }));
  }
  if (!isOwn) return merged;
  return here.isHome || viewOf(here).active === null
    ? { ...merged, isHome: true }
    : { ...merged, current: here.current, isHome: false };
}
