import { useState, type ReactNode } from 'react';
import type { Panel } from '../../state/layout/panel-store.ts';
import { useDirectory, useLateFailure, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ComparisonsDialog } from './comparisons-dialog.tsx';
import { DeleteSessionDialog } from './delete-session-dialog.tsx';
import { DiscoverDialog } from './discover-dialog.tsx';
import { ProjectRemovedDialog } from './project-removed-dialog.tsx';
import { ProjectSettingsDialog } from './project-settings-dialog.tsx';
import { RemoveProjectDialog } from './remove-project-dialog.tsx';
import { RenameSessionDialog } from './rename-session-dialog.tsx';
import { BringBackDialog } from './worktrees/bring-back-dialog.tsx';
import { ParkDialog } from './worktrees/park-dialog.tsx';
import { WorktreesDialog } from './worktrees/worktrees-dialog.tsx';
import { useFolders } from '../../state/workbench/use-folders.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FolderForm } from '../../ui/folders/folder-form.tsx';
import type { Project } from '@liminal/contracts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { TrustText } from '../../ui/folders/trust-text.tsx';
import './projects.css';

export type ProjectPanelProps = {
  readonly panel: Exclude<Panel, { name: 'palette' | 'settings' | 'shortcuts' | 'new-session' | 'fork' | 'rewind' }>;
  readonly onClose: () => void;
};

/** The dialogs about projects and sessions. */
export default function ProjectPanel({ panel, onClose }: ProjectPanelProps): ReactNode {
  const { projects, sessions, loaded } = useDirectory();
  if (panel.name === 'add-project') return <AddProjectDialog onClose={onClose} />;
  if (panel.name === 'delete-session') {
    const session = sessions.get(panel.sessionId);
    return session === undefined ? null : <DeleteSessionDialog session={session} onClose={onClose} />;
  }
  if (panel.name === 'rename') {
    const session = sessions.get(panel.sessionId);
    return session === undefined ? null : <RenameSessionDialog session={session} onClose={onClose} />;
  }
  const project = projects.find((each) => each.projectId === panel.projectId);
  if (project === undefined) return loaded ? <ProjectRemovedDialog onClose={onClose} /> : null;
  switch (panel.name) {
    case 'trust':
      return <TrustDialog project={project} onClose={onClose} />;
    case 'discover':
      return <DiscoverDialog project={project} onClose={onClose} />;
    case 'worktrees':
      return <WorktreesDialog project={project} onClose={onClose} />;
    case 'bring-back':
      return <BringBackDialog key={panel.worktreeId} {...panel} onClose={onClose} />;
    case 'park':
      return <ParkDialog key={panel.worktreeId} worktreeId={panel.worktreeId} onClose={onClose} />;
    case 'comparisons':
      return <ComparisonsDialog project={project} onClose={onClose} />;
    case 'project-settings':
      return <ProjectSettingsDialog project={project} onClose={onClose} />;
    case 'remove-project':
      return <RemoveProjectDialog project={project} onClose={onClose} />;
  }
}

/** Adds a folder; the next step is a session in it. */
function AddProjectDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { directory, panels } = useWorkbench();
  const [panel] = useState(panels.front.get);
  const reportLate = useLateFailure();
  return (
    <Dialog title="Add project" onClose={onClose} wide>
      <FolderForm
        useChoices={useFolders}
        onAdd={async (dir) => {
          const failure = await directory.addProject(dir);
          if (failure !== null) reportLate("Couldn't add the project.", failure);
          return failure?.message ?? null;
        }}
        onAdded={() => {
          // Unless the user has closed this dialog meanwhile.
          if (panels.front.get() !== panel) return;
          const added = directory.get().projects.at(-1);
          if (added === undefined) onClose();
          else panels.open({ name: 'new-session', projectId: added.projectId });
        }}
      />
    </Dialog>
  );
}

type TrustDialogProps = { readonly project: Project; readonly onClose: () => void };

function TrustDialog({ project, onClose }: TrustDialogProps): ReactNode {
  const { directory } = useWorkbench();
  const reportLate = useLateFailure();
  return (
    <ConfirmDialog
      title={`Trust ${project.name}?`}
      action="Trust this folder"
      onClose={onClose}
      onConfirm={async () => {
        const failure = await directory.trustProject(project.projectId, true);
        if (failure !== null) reportLate(`Couldn't trust ${project.name}.`, failure);
        return failure?.message ?? null;
      }}
    >
      <TrustText project={project} />
    </ConfirmDialog>
  );
}
