import { useState, type ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { sessionsOf } from '../../state/workbench/directory-store.ts';
import { machineTrouble } from '../../state/workbench/describe-machine.ts';
import { attentionOf, loudestOf } from '@liminal/domain/session/attention';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ProjectHead } from './project-head.tsx';
import { SessionRow } from './session-row.tsx';

type ProjectSectionProps = { readonly project: Project; readonly onChosen: () => void };

/** How many sessions show before one asks for all. */
const first = 12;

/** One project and its sessions, newest first. */
export function ProjectSection({ project, onChosen }: ProjectSectionProps): ReactNode {
  const { collapsedGroups, panels } = useWorkbench();
  const { projectId } = project;
  const directory = useDirectory();
  const [all, setAll] = useState(false);
  const [withArchived, setWithArchived] = useState(false);
  const collapsed = useCell(collapsedGroups).has(projectId);
  const sessions = sessionsOf(directory, projectId);
  const archived = sessionsOf(directory, projectId, true);
  const shown = all ? sessions : sessions.slice(0, first);
  const loud = loudestOf(sessions.map(attentionOf));
  const trouble = machineTrouble(project.node);
  const rows = [...shown, ...(withArchived ? archived : [])];
  return (
    <section className="project" aria-label={project.name}>
      <ProjectHead
        project={project}
        collapsed={collapsed}
        // What is open below speaks for itself; only who waits is said twice, for a list that is scrolled.
        status={collapsed || loud === 'needs-you' ? loud : 'idle'}
        onToggle={() => collapsedGroups.setCollapsed(projectId, !collapsed)}
      />
      {!collapsed && (
        <ul className="session-list">
          {rows.map((session) => (
            <SessionRow key={session.sessionId} session={session} onChosen={onChosen} />
          ))}
          {sessions.length === 0 && trouble !== '' && <li className="session-none">{`No sessions; ${trouble}`}</li>}
          {sessions.length === 0 && trouble === '' && (
            <li>
              <button
                type="button"
                className="session-start"
                onClick={() => panels.open({ name: 'new-session', projectId })}
              >
                Start session
              </button>
            </li>
          )}
          {shown.length < sessions.length && (
            <li>
              <button type="button" className="session-start" onClick={() => setAll(true)}>
                {`Show ${sessions.length - shown.length} older`}
              </button>
            </li>
          )}
          {archived.length > 0 && (
            <li>
              <button
                type="button"
                className="session-start"
                aria-expanded={withArchived}
                onClick={() => setWithArchived(!withArchived)}
              >
                {withArchived ? 'Hide archived' : `Show ${archived.length} archived`}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
