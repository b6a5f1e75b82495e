import type { ReactNode } from 'react';
import type { ChangesNotice } from '@liminal/contracts';
import { useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useReviewState, useReviewStore } from './use-review.ts';

/** Why the list may be incomplete, and what to do. */
export function Notices(): ReactNode {
  const { list } = useReviewState();
  if (list.phase !== 'ready' || list.reply.notices.length === 0) return null;
  return (
    <ul className="review-notices" aria-label="Notices">
      {list.reply.notices.map((notice, index) => (
        <li key={index}>
          {notice.message}
          <WayOut notice={notice} />
        </li>
      ))}
    </ul>
  );
}

function WayOut({ notice }: { readonly notice: ChangesNotice }): ReactNode {
  const review = useReviewStore();
  const { panels } = useWorkbench();
  const { projectId } = useSession();
  switch (notice.code) {
    case 'PROJECT_NOT_TRUSTED':
      return <Button onClick={() => panels.open({ name: 'trust', projectId })}>Trust folder…</Button>;
    case 'NO_CHECKPOINT':
    case 'NO_BASE':
      return (
        <Button onClick={() => void review.loader.show({ scope: 'uncommitted' })}>Show uncommitted changes</Button>
      );
    case 'GIT_BUSY':
    case 'GIT_FAILED':
    case 'GIT_MISSING':
      return <Button onClick={() => void review.refresh()}>Try again</Button>;
    case 'NOT_A_REPOSITORY':
    case 'NO_COMMIT':
    case 'NESTED_REPOSITORY':
    case 'SUBMODULE':
    case 'SPARSE':
    case 'LFS':
      return null;
  }
}

/** The result of the last action, with undo. */
export function OutcomeLine(): ReactNode {
  const review = useReviewStore();
  const { outcome, isBusy } = useReviewState();
  const { reviews } = useWorkbench();
  const { store } = useSession();
  const { undoId, turnId } = outcome ?? {};
  return (
    <div role="status" aria-live="polite">
      {outcome !== null && (
        <div className={outcome.isFailure ? 'review-outcome review-outcome-failed' : 'review-outcome'}>
          <span>{outcome.text}</span>
          {undoId !== undefined && (
            <Button disabled={isBusy} onClick={() => void review.actions.undo(undoId)}>
              Undo
            </Button>
          )}
          {turnId !== undefined && (
            <Button
              onClick={() => {
                reviews.close(store.sessionId);
                store.goToEnd();
              }}
            >
              Show in conversation
            </Button>
          )}
          {outcome.output !== undefined && outcome.output.trim() !== '' && (
            <details>
              <summary>Output</summary>
              <pre tabIndex={0}>{outcome.output.trim()}</pre>
            </details>
          )}
          <IconButton label="Dismiss" onClick={() => review.actions.say(null)}>
            <Icon name="close" size={14} />
          </IconButton>
        </div>
      )}
    </div>
  );
}
