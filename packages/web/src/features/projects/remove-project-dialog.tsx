import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { sessionsOf } from '../../state/workbench/directory-store.ts';
import { useDirectory, useLateFailure, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { plural } from '../../ui/format.ts';
import { showHidden } from '@liminal/domain/text/visible-text';

type RemoveProjectDialogProps = { readonly project: Project; readonly onClose: () => void };

export function RemoveProjectDialog({ project, onClose }: RemoveProjectDialogProps): ReactNode {
  const { directory: store, forgetProject } = useWorkbench();
  const reportLate = useLateFailure();
  const sessions = sessionsOf(useDirectory(), project.projectId);
  const busy = sessions.filter(({ activity }) => activity === 'working' || activity === 'waiting').length;
  return (
    <ConfirmDialog
      title={`Remove ${project.name}?`}
      action="Remove project"
      onClose={onClose}
      onConfirm={async () => {
        const problem = await store.removeProject(project.projectId);
        if (problem !== null) {
          reportLate(`Couldn't remove ${project.name}.`, problem);
          return problem.message;
        }
        forgetProject(project.projectId);
        return null;
      }}
    >
      <p>
        Files in <code>{showHidden(project.dir)}</code> stay as they are.
      </p>
      {sessions.length > 0 && (
        <p>
          {sessions.length === 1
            ? 'Its session is hidden too. Add the folder again to bring it back.'
            : `Its ${sessions.length} sessions are hidden too. Add the folder again to bring them back.`}
        </p>
      )}
      {busy > 0 && <p>{`${plural(busy, 'session is', 'sessions are')} working and will keep running.`}</p>}
    </ConfirmDialog>
  );
}
