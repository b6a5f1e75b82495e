import type { ReactNode } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { titleOf } from '../../state/sessions/titles.ts';
import { useLateFailure, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';

type DeleteSessionDialogProps = { readonly session: SessionSummary; readonly onClose: () => void };

export function DeleteSessionDialog({ session, onClose }: DeleteSessionDialogProps): ReactNode {
  const { api, tabs } = useWorkbench();
  const reportLate = useLateFailure();
  const isBusy = session.activity === 'working' || session.activity === 'waiting';
  return (
    <ConfirmDialog
      title="Delete this session?"
      action="Delete session"
      danger
      onClose={onClose}
      onConfirm={async () => {
        const reply = await api.session.remove(session.sessionId);
        if (!reply.ok) {
          reportLate(`Couldn't delete “${titleOf(session)}”.`, reply.failure);
          return reply.failure.message;
        }
        tabs.close(session.sessionId);
        return null;
      }}
    >
      <p>
        <strong>{titleOf(session)}</strong>
      </p>
      {isBusy && <p>Its agent is working and will be stopped.</p>}
      <p>
        This removes its messages from Liminal Builder. Project files and the agent's own record of it stay. Or archive
        it to hide it.
      </p>
    </ConfirmDialog>
  );
}
