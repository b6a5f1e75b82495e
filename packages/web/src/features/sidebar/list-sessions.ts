import type { Project, SessionSummary } from '@liminal/contracts';
import { branchOf } from '../../state/sessions/branch-of.ts';
import { titleOf } from '../../state/sessions/titles.ts';
import { newestFirst } from '../../state/workbench/directory-store.ts';

export type ListedProject = {
  readonly project: Project;
  readonly sessions: readonly SessionSummary[];
  readonly archived: readonly SessionSummary[];
};

/** The sessions of every project, newest first, that match the filter by title, branch or project. */
export function listSessions(
  projects: readonly Project[],
  sessions: ReadonlyMap<string, SessionSummary>,
  filter: string,
): ListedProject[] {
  const wanted = filter.trim().toLowerCase();
  const of = new Map(projects.map((project) => [project.projectId, [] as SessionSummary[]]));
  for (const session of sessions.values()) of.get(session.projectId)?.push(session);
  return projects.map((project) => {
    const own = (of.get(project.projectId) ?? []).sort(newestFirst);
    const fits = (session: SessionSummary): boolean =>
      wanted === '' ||
      [titleOf(session), branchOf(session, project), project.name].some((text) => text.toLowerCase().includes(wanted));
    const fitting = own.filter(fits);
    return {
      project,
      sessions: fitting.filter(({ archived }) => !archived),
      archived: wanted === '' ? fitting.filter(({ archived }) => archived) : [],
    };
  });
}
