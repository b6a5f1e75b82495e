import type { ReactNode } from 'react';
import type { ChangedFile, DiscardBody } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import type { Chosen } from '../../state/review/review-actions.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useReviewStore } from './use-review.ts';

export type Discarding = {
  readonly chosen: Chosen;
  readonly file: ChangedFile;
  readonly scope: DiscardBody['scope'];
};

/** Shows what will be discarded, and that it can be restored. */
export function DiscardDialog({
  discarding: { chosen, file, scope },
  onClose,
}: {
  readonly discarding: Discarding;
  readonly onClose: () => void;
}): ReactNode {
  const review = useReviewStore();
  const isHunk = 'hunks' in chosen;
  const { additions = 0, deletions = 0 } = file;
  const target = scope === 'uncommitted' ? 'the last commit' : 'the staged version';
  return (
    <ConfirmDialog
      title={isHunk ? 'Discard this hunk?' : 'Discard changes?'}
      action={isHunk ? 'Discard hunk' : 'Discard changes'}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await review.actions.discard(chosen, scope);
        return null;
      }}
    >
      <p>
        <code>{showHidden(file.path)}</code>{' '}
        {!isHunk && (
          <>
            <span className="diff-added">+{additions}</span> <span className="diff-removed">−{deletions}</span>
          </>
        )}
      </p>
      <p>
        {file.change === 'added' && !isHunk
          ? 'The file will be removed from the folder.'
          : `${isHunk ? 'These lines' : 'The file'} will match ${target}.`}{' '}
        You can undo this.
      </p>
    </ConfirmDialog>
  );
}
