import type { ReactNode } from 'react';
import type { Project, SessionSummary } from '@liminal/contracts';
import { attentionOf, loudestOf } from '@liminal/domain/session/attention';
import { machineTrouble } from '../../state/workbench/describe-machine.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ProjectCommands } from './project-commands.tsx';
import { ProjectHead } from './project-head.tsx';
import { SessionList } from './session-list.tsx';

type ProjectSectionProps = {
  readonly project: Project;
  readonly sessions: readonly SessionSummary[];
  readonly archived: readonly SessionSummary[];
  /** A filter is active: matches are shown even in a collapsed project. */
  readonly isFiltered: boolean;
  readonly onChosen: () => void;
};

/** One project and its sessions. */
export function ProjectSection(props: ProjectSectionProps): ReactNode {
  const { project, sessions, archived, isFiltered, onChosen } = props;
  const { collapsedGroups, panels } = useWorkbench();
  const { projectId } = project;
  const collapsed = useCell(collapsedGroups).has(projectId) && !isFiltered;
  const loud = loudestOf(sessions.map(attentionOf));
  const trouble = machineTrouble(project.node);
  return (
    <section className="project" aria-label={project.name}>
      <ProjectHead
        project={project}
        collapsed={collapsed}
        // The open list below already shows the statuses.
        status={collapsed ? loud : 'idle'}
        onChosen={onChosen}
        onToggle={() => collapsedGroups.setCollapsed(projectId, !collapsed)}
      />
      {!collapsed && !isFiltered && <ProjectCommands project={project} onChosen={onChosen} />}
      {!collapsed && (
        <SessionList sessions={sessions} archived={archived} onChosen={onChosen}>
          {trouble !== '' ? (
            <li className="session-none">{`No sessions; ${trouble}`}</li>
          ) : (
            <li>
              <button
                type="button"
                className="session-start"
                onClick={() => panels.open({ name: 'new-session', projectId })}
              >
                New session
              </button>
            </li>
          )}
        </SessionList>
      )}
    </section>
  );
}
