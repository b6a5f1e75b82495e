import { useState, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useWorktree } from '../../../state/worktrees/use-worktrees.ts';
import { useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { MergePart } from './merge-part.tsx';
import { PublishPart } from './publish-part.tsx';
import { useMergePlan, type MergeChoice } from './use-merge-plan.ts';
import './bring-back.css';

type BringBackDialogProps = { readonly projectId: string; readonly worktreeId: string; readonly onClose: () => void };

/** Publishes a worktree's commits: merged into its base branch, pushed to the remote, or as a pull request. */
export function BringBackDialog({ projectId, worktreeId, onClose }: BringBackDialogProps): ReactNode {
  const worktree = useWorktree(worktreeId);
  const [choice, setChoice] = useState<MergeChoice>({ how: 'merge' });
  const { plan, failure, isDirty, readAgain } = useMergePlan(worktreeId, choice);
  const branch = showHidden(worktree?.branch ?? '');
  return (
    <Dialog
      title="Merge or publish"
      beside={<code className="bring-back-branch">{branch}</code>}
      onClose={onClose}
      wide
    >
      {isDirty && <CommitFirst projectId={projectId} worktreeId={worktreeId} onClose={onClose} />}
      <MergePart
        projectId={projectId}
        worktreeId={worktreeId}
        choice={choice}
        onChoose={setChoice}
        plan={plan}
        failure={failure}
        isDirty={isDirty}
        onMerged={readAgain}
        onClose={onClose}
      />
      <PublishPart worktreeId={worktreeId} subjects={plan?.subjects ?? []} />
    </Dialog>
  );
}

/** Uncommitted changes aren't included: offers to commit them. */
function CommitFirst({ projectId, worktreeId, onClose }: BringBackDialogProps): ReactNode {
  const { panels, reviews, tabs, terminals } = useWorkbench();
  const sessionId = useWorktree(worktreeId)?.sessionId ?? null;
  return (
    <div className="bring-back-note" role="status">
      <span>
        <strong>Some changes aren't committed.</strong>{' '}
        {sessionId === null ? 'Commit them in a terminal before you merge.' : 'Commit them before you merge.'} Push
        sends only commits.
      </span>
      <Button
        onClick={() => {
          onClose();
          if (sessionId === null) return void terminals.open(projectId, { worktreeId });
          tabs.show(sessionId);
          reviews.open(sessionId, { scope: 'uncommitted' });
          return panels.committing.set(sessionId);
        }}
      >
        {sessionId === null ? 'Open terminal' : 'Commit first…'}
      </Button>
    </div>
  );
}
