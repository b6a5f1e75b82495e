import { useEffect, useState, type ReactNode } from 'react';
import type { ParkWorktreeReply } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useWorktree } from '../../../state/worktrees/use-worktrees.ts';
import { useLateFailure, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { formatBytes, plural } from '../../../ui/format.ts';
import { describeProgress } from '../../../ui/worktrees/worktree-progress.ts';

type ParkDialogProps = { readonly worktreeId: string; readonly onClose: () => void };

/** Frees the folder of a worktree. Shows first what would not be kept, so the user can keep or drop it. */
export function ParkDialog({ worktreeId, onClose }: ParkDialogProps): ReactNode {
  const { api } = useWorkbench();
  const reportLate = useLateFailure();
  const worktree = useWorktree(worktreeId);
  const [notKept, setNotKept] = useState<ParkWorktreeReply['notKept'] | null>(null);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    let isWanted = true;
    void api.worktree.park(worktreeId, { dryRun: true }).then((reply) => {
      if (!isWanted) return;
      if (reply.ok) setNotKept(reply.value.notKept);
      else setFailure(reply.failure.message);
    });
    return () => {
      isWanted = false;
    };
  }, [api, worktreeId]);
  const dropped = (notKept ?? []).filter(({ path }) => !kept.has(path));
  const toggle = (path: string): void =>
    setKept((held) => new Set(held.has(path) ? [...held].filter((each) => each !== path) : [...held, path]));
  const park = async (): Promise<void> => {
    setBusy(true);
    setFailure('');
    const reply = await api.worktree.park(worktreeId, {
      ...(kept.size > 0 && { keep: [...kept] }),
      ...(dropped.length > 0 && { dropIgnored: true }),
    });
    setBusy(false);
    if (reply.ok) return onClose();
    setFailure(reply.failure.message);
    return reportLate(`Couldn't park ${showHidden(worktree?.branch ?? 'the worktree')}.`, reply.failure);
  };
  return (
    <Dialog
      title="Park worktree"
      beside={<code className="bring-back-branch">{showHidden(worktree?.branch ?? '')}</code>}
      onClose={onClose}
    >
      <div className="dialog-text">
        <p>
          Parking saves commits, staged and unstaged changes and new files in the repository, and removes the folder.
          Opening the session restores it.
        </p>
        {notKept === null && failure === '' && <p role="status">Looking for files that wouldn't be kept…</p>}
        {notKept !== null && notKept.length > 0 && (
          <fieldset className="park-files">
            <legend>Git ignores these files. Parking deletes those that you don't tick.</legend>
            {notKept.map(({ path, size }) => (
              <label key={path}>
                <input type="checkbox" checked={kept.has(path)} onChange={() => toggle(path)} />
                <code>{showHidden(path)}</code>
                <span className="muted">{formatBytes(size)}</span>
              </label>
            ))}
          </fieldset>
        )}
        {notKept?.length === 0 && <p>Everything in the folder is kept.</p>}
        {isBusy && worktree?.progress !== undefined && <p role="status">{describeProgress(worktree.progress)}</p>}
      </div>
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      <div className="dialog-actions">
        <Button data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button
          look={dropped.length > 0 ? 'danger' : 'primary'}
          disabled={notKept === null || isBusy}
          onClick={() => void park()}
        >
          {isBusy ? 'Parking…' : dropped.length > 0 ? `Park and delete ${plural(dropped.length, 'item')}` : 'Park'}
        </Button>
      </div>
    </Dialog>
  );
}
