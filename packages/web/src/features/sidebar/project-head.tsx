import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { isElsewhere, machineTrouble } from '../../state/workbench/describe-machine.ts';
import { useCell, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton, type MenuItem } from '../../ui/menu.tsx';
import { type StatusName, StatusBadge } from '../../ui/status-badge.tsx';
import { showHidden } from '@liminal/domain/text/visible-text';

type ProjectHeadProps = {
  readonly project: Project;
  readonly collapsed: boolean;
  /** The combined status of its sessions. */
  readonly status: StatusName;
  readonly onToggle: () => void;
  /** The user has chosen the project. */
  readonly onChosen: () => void;
};

/** A project's name, its status, and its menu. */
export function ProjectHead({ project, collapsed, status, onToggle, onChosen }: ProjectHeadProps): ReactNode {
  const { activeProject, distrust, goToProject, importSession, panels } = useWorkbench();
  const { projectId, name, trusted, node } = project;
  // The current project changes with the tabs.
  useTabs();
  const isInSight = !useCell(panels.inbox);
  const canStart = machineTrouble(node) === '';
  const own: MenuItem[] = [
    { label: 'Worktrees', onChoose: () => panels.open({ name: 'worktrees', projectId }) },
    { label: 'Project settings', onChoose: () => panels.open({ name: 'project-settings', projectId }) },
    trusted
      ? { label: 'Stop trusting this folder', onChoose: () => void distrust(projectId) }
      : { label: 'Trust this folder', onChoose: () => panels.open({ name: 'trust', projectId }) },
    { label: 'Remove project', onChoose: () => panels.open({ name: 'remove-project', projectId }) },
  ];
  const items: MenuItem[] = [
    { label: 'New session', onChoose: () => panels.open({ name: 'new-session', projectId }) },
    {
      label: 'Import terminal sessions',
      onChoose: () => panels.open({ name: 'discover', projectId }),
    },
    ...(isElsewhere(node) ? [] : [{ label: 'Import session file', onChoose: () => void importSession(projectId) }]),
    // Actions on the folder itself are only possible on its own machine.
    ...(isElsewhere(node) ? [] : own),
  ];
  return (
    <div className="project-head">
      <button
        type="button"
        className={collapsed ? 'project-chevron' : 'project-chevron project-chevron-open'}
        aria-expanded={!collapsed}
        aria-label={`Sessions of ${name}`}
        title={collapsed ? 'Show sessions' : 'Hide sessions'}
        onClick={onToggle}
      >
        <Icon name="chevron" size={12} />
      </button>
      <button
        type="button"
        className="project-name"
        title={showHidden(project.dir)}
        {...(isInSight && activeProject() === projectId ? { 'aria-current': 'true' as const } : {})}
        onClick={() => {
          panels.inbox.set(false);
          goToProject(projectId);
          onChosen();
        }}
      >
        <span className="project-label">{name}</span>
        {isElsewhere(node) && <span className="project-node">{`on ${node.name}`}</span>}
        <StatusBadge status={status} />
      </button>
      {canStart && <MenuButton label={`More actions for ${name}`} items={items} className="project-more" />}
      {!trusted && !isElsewhere(node) && (
        <button
          type="button"
          className="icon-button project-untrusted"
          title="Not trusted"
          aria-label={`${name} isn't trusted. Trust it…`}
          onClick={() => panels.open({ name: 'trust', projectId })}
        >
          <Icon name="untrusted" size={14} />
        </button>
      )}
      {canStart && (
        <IconButton label={`New session in ${name}`} onClick={() => panels.open({ name: 'new-session', projectId })}>
          <Icon name="add" />
        </IconButton>
      )}
    </div>
  );
}
