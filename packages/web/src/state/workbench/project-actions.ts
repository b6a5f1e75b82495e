import type { Action } from './actions.ts';
import type { Workbench } from './workbench.ts';

/** Switches between projects: each comes back with its own tabs, splits and terminal panel. */
export function projectActions(workbench: Workbench): readonly Action[] {
  const { activeProject, directory, goToProject, panels, tabs } = workbench;
  const { projects } = directory.get();
  const goTo = (projectId: string): void => {
    panels.inbox.set(false);
    goToProject(projectId);
  };
  const { byProject, current } = tabs.layouts.get();
  const open = projects.filter(({ projectId }) => projectId === current || byProject.has(projectId));
  const next = open[(open.findIndex(({ projectId }) => projectId === current) + 1) % open.length];
  return [
    {
      id: 'next-project',
      title: 'Next project with open tabs',
      group: 'Sessions',
      keys: { code: 'KeyG', label: 'G', alt: true },
      isPossible: next !== undefined && next.projectId !== activeProject(),
      run: () => next !== undefined && goTo(next.projectId),
    },
    ...projects
      .filter(({ projectId }) => projectId !== activeProject())
      .map(({ projectId, name }): Action => ({
        id: `go-to-${projectId}`,
        title: `Go to project ${name}`,
        group: 'Sessions',
        isPossible: true,
        run: () => goTo(projectId),
      })),
  ];
}
