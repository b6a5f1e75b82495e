import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { RewindPlan } from './rewind-plan.tsx';
import { useRewind, type Rewind } from './use-rewind.ts';
import './rewind-dialog.css';

type RewindDialogProps = {
  readonly sessionId: string;
  /** The first turn to rewind. */
  readonly turnId: string;
  /** Its message, which returns to the composer. */
  readonly text: string;
  /** How many images were sent with it. */
  readonly images: number;
  readonly onClose: () => void;
};

/** Shows what a rewind would do to conversation and files, rewinds, and offers undo. */
export default function RewindDialog({ sessionId, turnId, text, images, onClose }: RewindDialogProps): ReactNode {
  const rewind = useRewind(sessionId, turnId, text, onClose);
  const { plan, message, done, failure, also, toggle } = rewind;
  const missing = images - message.images.length;
  return (
    <Dialog title={done === null ? 'Rewind to before this message?' : 'Rewound'} onClose={onClose}>
      <div className="dialog-text rewind">
        {done === null && message.content !== '' && <p className="rewind-message">{message.content}</p>}
        {plan === null && failure === null && <p role="status">Checking what would change…</p>}
        {plan !== null && done === null && (
          <>
            <p>
              {`Removes ${plural(plan.turns, 'turn')} and puts this message back in the composer. You can undo it.`}
              {missing > 0 && ` ${plural(missing, 'image')} can't be restored and must be attached again.`}
            </p>
            <RewindPlan plan={plan} also={also} toggle={toggle} />
          </>
        )}
        {done !== null && (
          <p role="status">
            {`${plural(done.restored.length, 'file')} restored`}
            {done.left.length > 0 ? `, ${plural(done.left.length, 'file')} skipped because of newer changes.` : '.'} The
            message is in the composer. You can undo this until you send something.
          </p>
        )}
      </div>
      {failure !== null && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      {done === null ? <PlanActions {...rewind} onClose={onClose} /> : <DoneActions {...rewind} onClose={onClose} />}
    </Dialog>
  );
}

type ActionsProps = Rewind & { readonly onClose: () => void };

function PlanActions({ plan, isBusy, rewind, fork, onClose }: ActionsProps): ReactNode {
  const keeps = plan?.keeps ?? null;
  return (
    <div className="dialog-actions">
      <span className="rewind-first">
        <Icon name="rewind" size={14} /> Takes a checkpoint first
      </span>
      <Button look="quiet" data-autofocus onClick={onClose}>
        Cancel <kbd className="key-hint">Esc</kbd>
      </Button>
      {keeps !== null && (
        <Button disabled={isBusy} onClick={() => void fork(keeps)}>
          Fork instead
        </Button>
      )}
      <Button look="primary" disabled={plan === null || isBusy} onClick={() => plan && void rewind(plan)}>
        Rewind
      </Button>
    </div>
  );
}

function DoneActions({ done, isBusy, undo, onClose }: ActionsProps): ReactNode {
  return (
    <div className="dialog-actions">
      <Button disabled={isBusy} onClick={() => done && void undo(done.rewindId)}>
        Undo rewind
      </Button>
      <Button look="primary" data-autofocus onClick={onClose}>
        Done
      </Button>
    </div>
  );
}
