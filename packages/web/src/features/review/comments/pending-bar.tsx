import { useState, type ReactNode } from 'react';
import type { ReviewComment } from '@liminal/contracts';
import { useComments, useRunningTurn, useSession } from '../../../state/sessions/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { plural } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { keysText } from '../../../ui/keys.ts';
import { useReviewState, useReviewStore } from '../use-review.ts';

const sendKeys = keysText({ code: 'Enter', label: 'Enter', mod: true });

/** How many comments aren't sent yet, and the button to send them. */
export function PendingBar({ canSteer }: { readonly canSteer: boolean }): ReactNode {
  const review = useReviewStore();
  const { isBusy, note } = useReviewState();
  const { agentName } = useSession();
  const isRunning = useRunningTurn() !== null;
  const drafts = (useComments() ?? []).filter(({ state }) => state === 'draft');
  const [isDiscarding, setDiscarding] = useState(false);
  if (drafts.length === 0) return null;
  return (
    <form
      className="review-bar"
      aria-label="Pending review"
      onSubmit={(event) => {
        event.preventDefault();
        void review.comments.send('queue');
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void review.comments.send('queue');
      }}
    >
      <span className="review-bar-count">
        <Icon name="comment" size={14} />
        <strong>{plural(drafts.length, 'comment')}</strong>
        <span className="muted">{placesText(drafts)}</span>
      </span>
      <input
        aria-label={`Note to ${agentName} (optional)`}
        placeholder={`Note to ${agentName} (optional)`}
        value={note}
        onChange={(event) => review.change({ note: event.target.value })}
      />
      <Button look="quiet" onClick={() => setDiscarding(true)}>
        Discard review
      </Button>
      {isRunning && canSteer && (
        <Button disabled={isBusy} onClick={() => void review.comments.send('steer')}>
          Steer now
        </Button>
      )}
      <Button look="primary" type="submit" disabled={isBusy}>
        {isRunning ? 'Queue review' : 'Send review'} <kbd className="key-hint">{sendKeys}</kbd>
      </Button>
      {isDiscarding && (
        <ConfirmDialog
          title="Discard review?"
          action="Discard review"
          danger
          onClose={() => setDiscarding(false)}
          onConfirm={async () => {
            await review.comments.discard();
            return null;
          }}
        >
          <p>{`${plural(drafts.length, 'comment')} will be deleted. This can't be undone.`}</p>
        </ConfirmDialog>
      )}
    </form>
  );
}

const named = 3;

/** "limiter.ts:17 and 19–20". */
function placesText(comments: readonly ReviewComment[]): string {
  const places = comments.slice(0, named).map(({ path, startLine, endLine }) => {
    const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
    return `${path.split('/').at(-1) ?? path}:${lines}`;
  });
  return comments.length > named ? `${places.join(', ')}, …` : places.join(', ');
}
