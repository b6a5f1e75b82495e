import { useState, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  readonly onClose: () => void;
  /** Returns what went wrong, or null on success. */
  readonly onConfirm: () => Promise<string | null>;
};

/** Asks before an action, and shows what went wrong. Cancel has the focus. */
export function ConfirmDialog({
  title,
  children,
  action,
  danger = false,
  onClose,
  onConfirm,
}: ConfirmDialogProps): ReactNode {
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    const problem = await onConfirm();
    setBusy(false);
    setFailure(problem);
    if (problem === null) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-text">{children}</div>
      {failure !== null && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="dialog-actions">
        <Button data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button look={danger ? 'danger' : 'primary'} disabled={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
