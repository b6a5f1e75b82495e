import type { ReactNode } from 'react';
import type { Choice } from '@liminal/contracts';
import { useSession } from '../../state/sessions/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

type ConfirmModeProps = {
  readonly mode: Choice;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Explains a mode without permission requests before the user turns it on. */
export function ConfirmMode({ mode, onConfirm, onClose }: ConfirmModeProps): ReactNode {
  const { agentName, projectDir } = useSession();
  return (
    <Dialog title={`Let ${agentName} act without asking?`} onClose={onClose}>
      <p>
        In “{mode.name}” mode, {agentName} starts in <code className="confirm-folder">{projectDir}</code>, runs any
        command and changes any file your account can reach, without asking. You can't undo what it deletes or sends.
      </p>
      {mode.description !== undefined && <p className="muted">{mode.description}</p>}
      <div className="confirm-actions">
        <Button autoFocus onClick={onClose}>
          Keep asking
        </Button>
        <Button className="button-danger" onClick={onConfirm}>
          {mode.name}
        </Button>
      </div>
    </Dialog>
  );
}
