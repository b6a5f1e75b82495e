import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { ApiFailure } from '@liminal/client/call-routes';
import { useWorktree, useWorktreeInTheMaking } from '../../state/worktrees/use-worktrees.ts';
import { useDirectoryFact, useLateFailure, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { SetupOutput } from '../../ui/worktrees/setup-output.tsx';
import { WorktreeFields } from '../../ui/worktrees/worktree-fields.tsx';
import { describeProgress } from '../../ui/worktrees/worktree-progress.ts';

type ForkDialogProps = {
  readonly sessionId: string;
  /** The last turn of the fork. */
  readonly turnId: string;
  readonly onClose: () => void;
};

type Choice = { readonly base?: string; readonly branch?: string };
type More = { readonly trustConfiguration?: boolean };

/** Forks a session into a worktree of its own: its base branch, its progress, and what to do if the setup fails. */
export default function ForkDialog({ sessionId, turnId, onClose }: ForkDialogProps): ReactNode {
  const { api, newId, showWhenReady } = useWorkbench();
  const reportLate = useLateFailure();
  const branch = useDirectoryFact(({ sessions }) => sessions.get(sessionId)?.place?.branch ?? undefined);
  const [clientSessionId] = useState(newId);
  const [choice, setChoice] = useState<Choice>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isCancelled = useRef(false);
  const left = failure?.details?.['worktreeId'];
  const made = useWorktree(typeof left === 'string' ? left : undefined);
  const making = useWorktreeInTheMaking(clientSessionId);
  const worktree = making ?? made;
  const isUntrusted = failure?.code === 'PROJECT_NOT_TRUSTED' && failure.details?.['confirm'] === 'trustConfiguration';
  const canSkip = worktree?.setup !== undefined && (worktree.state === 'setup' || worktree.state === 'failed');

  const fork = async (more: More = {}): Promise<void> => {
    setBusy(true);
    // A retry uses the worktree that was already created.
    const place = made === undefined ? { ...choice, ...more } : { worktreeId: made.worktreeId };
    const show = showWhenReady();
    const forked = await api.session.fork(sessionId, {
      turnId,
      place: { kind: 'worktree', ...place },
      clientSessionId,
    });
    setBusy(false);
    if (!forked.ok) {
      setFailure(forked.failure);
      // Cancelling removed its worktree, so it had to fail.
      if (isCancelled.current) return undefined;
      return reportLate("Couldn't fork the session.", forked.failure);
    }
    onClose();
    show(forked.value.sessionId);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void fork(isUntrusted ? { trustConfiguration: true } : {});
  };
  const startAnyway = async (worktreeId: string): Promise<void> => {
    const reply = await api.worktree.startAnyway(worktreeId);
    if (reply.ok && !isBusy) await fork();
  };
  const cancel = (): void => {
    // Removes the worktree that is being created.
    if (making !== undefined) {
      isCancelled.current = true;
      void api.worktree.remove(making.worktreeId, {});
    }
    onClose();
  };

  return (
    <Dialog title="Fork in a new worktree" onClose={cancel}>
      <form className="dialog-form" onSubmit={submit}>
        <div className="dialog-text">
          <p>
            The fork continues after this turn, in its own folder. Its files start from the last commit of the base
            branch: uncommitted changes stay where they are.
          </p>
          <WorktreeFields choice={choice} branch={branch} onChange={setChoice} />
          {worktree?.progress !== undefined && <p role="status">{describeProgress(worktree.progress)}</p>}
          {worktree !== undefined && <SetupOutput worktree={worktree} />}
        </div>
        {failure !== null && !isBusy && (
          <p className="field-error" role="alert">
            {failure.message}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={cancel}>Cancel</Button>
          {worktree !== undefined && canSkip && (
            <Button onClick={() => void startAnyway(worktree.worktreeId)}>Start anyway</Button>
          )}
          <Button type="submit" look="primary" data-autofocus disabled={isBusy}>
            {isUntrusted ? 'Trust these settings and fork' : 'Fork session'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
