import type { ReactNode } from 'react';
import type { Panel } from '../../state/layout/panel-store.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { AddProjectDialog } from './add-project-dialog.tsx';
import { DeleteSessionDialog } from './delete-session-dialog.tsx';
import { DiscoverDialog } from './discover-dialog.tsx';
import { RemoveProjectDialog } from './remove-project-dialog.tsx';
import { TrustDialog } from './trust-dialog.tsx';
import { WorktreesDialog } from './worktrees-dialog.tsx';

export type ProjectPanelProps = {
  readonly panel: Exclude<Panel, { name: 'palette' | 'settings' | 'shortcuts' | 'new-session' | 'rewind' }>;
};

/** The dialogs about projects and sessions. */
export default function ProjectPanel({ panel }: ProjectPanelProps): ReactNode {
  const { panels } = useWorkbench();
  const { projects, sessions } = useDirectory();
  const onClose = panels.close;
  if (panel.name === 'add-project') return <AddProjectDialog onClose={onClose} />;
  if (panel.name === 'delete-session') {
    const session = sessions.get(panel.sessionId);
    return session === undefined ? null : <DeleteSessionDialog session={session} onClose={onClose} />;
  }
  const project = projects.find((each) => each.projectId === panel.projectId) ?? projects[0];
  if (project === undefined) return <AddProjectDialog onClose={onClose} />;
  switch (panel.name) {
    case 'trust':
      return <TrustDialog project={project} onClose={onClose} />;
    case 'discover':
      return <DiscoverDialog project={project} onClose={onClose} />;
    case 'worktrees':
      return <WorktreesDialog project={project} onClose={onClose} />;
    case 'remove-project':
      return <RemoveProjectDialog project={project} onClose={onClose} />;
  }
}
