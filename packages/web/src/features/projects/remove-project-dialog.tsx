import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { sessionsOf } from '../../state/workbench/directory-store.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { plural } from '../../ui/format.ts';
import { showHidden } from '@liminal/domain/text/visible-text';

type RemoveProjectDialogProps = { readonly project: Project; readonly onClose: () => void };

export function RemoveProjectDialog({ project, onClose }: RemoveProjectDialogProps): ReactNode {
  const { directory: store, tabs } = useWorkbench();
  const sessions = sessionsOf(useDirectory(), project.projectId);
  const busy = sessions.filter(({ activity }) => activity === 'working' || activity === 'waiting').length;
  return (
    <ConfirmDialog
      title={`Remove ${project.name} from the list?`}
      action="Remove from the list"
      onClose={onClose}
      onConfirm={async () => {
        const problem = await store.removeProject(project.projectId);
        if (problem !== null) return problem.message;
        for (const { sessionId } of sessions) tabs.close(sessionId);
        return null;
      }}
    >
      <p>
        Nothing on disk is touched: <code>{showHidden(project.dir)}</code> stays as it is.
      </p>
      {sessions.length > 0 && (
        <p>
          {`${sessions.length === 1 ? 'Its session leaves' : `Its ${sessions.length} sessions leave`} the list too. Add the folder again to get ${sessions.length === 1 ? 'it' : 'them'} back.`}
        </p>
      )}
      {busy > 0 && <p>{`${plural(busy, 'session is', 'sessions are')} at work there and will go on unseen.`}</p>}
    </ConfirmDialog>
  );
}
