import type { DistinctTitle } from '../sessions/titles.ts';
import { tabTitles } from '../layout/tab-titles.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from './use-workbench.ts';

/** The titles of these tabs, in order. */
function useTitles(open: readonly string[]): readonly DistinctTitle[] {
  const { newSessions, terminals } = useWorkbench();
  const { projects, sessions } = useDirectory();
  const placeOf = (sessionId: string) => sessions.get(sessionId) ?? newSessions.origin(sessionId);
  return tabTitles(open, { placeOf, projects, terminals: useCell(terminals.list) });
}

/** The titles of the shown project's tabs, in order. Those that belong to another project have its name. */
export function useTabTitles(): readonly DistinctTitle[] {
  const { projectOf, tabs } = useWorkbench();
  const { projects } = useDirectory();
  const { open } = useTabs();
  const { current } = tabs.layouts.get();
  return useTitles(open).map((held, index) => {
    const project = projectOf(open[index] ?? '');
    if (held.mark !== '' || project === undefined || project === current) return held;
    return { ...held, mark: projects.find(({ projectId }) => projectId === project)?.name ?? '' };
  });
}

export type TabGroup = {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly tabs: ReadonlyArray<DistinctTitle & { readonly id: string }>;
};

/** The open tabs of all projects; the shown project is first. */
export function useAllTabs(): readonly TabGroup[] {
  const { tabs } = useWorkbench();
  const { projects } = useDirectory();
  const { byProject, current } = useCell(tabs.layouts);
  const others = [...byProject].filter(([project]) => project !== current);
  const own = byProject.get(current);
  const groups = [...(own === undefined ? [] : [[current, own] as const]), ...others];
  const titles = useTitles(groups.flatMap(([, { open }]) => open));
  let at = 0;
  return groups.map(([project, { open }]) => ({
    name: projects.find(({ projectId }) => projectId === project)?.name ?? 'Other tabs',
    isCurrent: project === current,
    tabs: open.map((id) => ({ id, ...(titles[at++] ?? { title: '', mark: '' }) })),
  }));
}
