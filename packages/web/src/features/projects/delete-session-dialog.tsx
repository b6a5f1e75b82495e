import type { ReactNode } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { titleOf } from '../../state/sessions/titles.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

type DeleteSessionDialogProps = { readonly session: SessionSummary; readonly onClose: () => void };

export function DeleteSessionDialog({ session, onClose }: DeleteSessionDialogProps): ReactNode {
  const { api, tabs } = useWorkbench();
  const isBusy = session.activity === 'working' || session.activity === 'waiting';
  return (
    <ConfirmDialog
      title="Delete this session?"
      action="Delete the session"
      danger
      onClose={onClose}
      onConfirm={async () => {
        const reply = await api.session.remove(session.sessionId);
        if (!reply.ok) return reply.failure.message;
        tabs.close(session.sessionId);
        return null;
      }}
    >
      <p>
        <strong>{titleOf(session)}</strong>
      </p>
      {isBusy && <p>Its agent is at work and will be stopped.</p>}
      <p>
        Everything said in it is removed from Liminal Builder. Files in the project stay as they are, and so does the
        agent’s own record of it. To only put it away, archive it instead.
      </p>
    </ConfirmDialog>
  );
}
