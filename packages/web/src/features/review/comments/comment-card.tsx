import type { ReactNode } from 'react';
import type { ReviewComment } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { Markdown } from '../../../rendering/markdown.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { CommentEditor } from './comment-editor.tsx';
import { linesText } from './lines-text.ts';
import { useReviewState, useReviewStore } from '../use-review.ts';

type CommentCardProps = {
  readonly comment: ReviewComment;
  /** It belongs to none of the shown lines, so the card shows those it was written on. */
  readonly isQuoted?: boolean;
};

const states = { draft: 'Draft', sent: 'Sent', resolved: 'Resolved' } as const;

/** One comment: its place, text and state. */
export function CommentCard({ comment, isQuoted = false }: CommentCardProps): ReactNode {
  const review = useReviewStore();
  const { editing } = useReviewState();
  const { commentId, path, side, startLine, endLine, text, quote, state, outdated } = comment;
  const own = editing.find((each) => each.commentId === commentId);
  if (own !== undefined) return <CommentEditor key={own.id} editing={own} isLoose={isQuoted} />;
  const range = { side, from: startLine, to: endLine };
  const where = linesText(range);
  return (
    <article
      className={`review-comment review-comment-${state}`}
      aria-label={`Comment on ${showHidden(path)}, ${where}`}
    >
      <header className="review-comment-head">
        <strong>You</strong>
        <span className="muted">{isQuoted ? `${showHidden(path)}, ${where}` : where}</span>
        <span className="review-badge">{states[state]}</span>
        {outdated && <span className="review-badge">Outdated</span>}
        <span className="review-comment-actions">
          {state === 'draft' && (
            <IconButton label="Edit comment" onClick={() => review.comments.begin(path, range, comment)}>
              <Icon name="edit" size={14} />
            </IconButton>
          )}
          {state === 'sent' && (
            <Button look="quiet" onClick={() => void review.comments.setState(comment, 'resolved')}>
              Resolve
            </Button>
          )}
          {state === 'resolved' && (
            <Button look="quiet" onClick={() => void review.comments.setState(comment, 'draft')}>
              Reopen as draft
            </Button>
          )}
          <IconButton label="Delete comment" onClick={() => void review.comments.remove([commentId])}>
            <Icon name="delete" size={14} />
          </IconButton>
        </span>
      </header>
      {(isQuoted || outdated) && quote !== '' && (
        <pre className="review-quote" tabIndex={0}>
          {showHidden(quote.replace(/\n$/, ''))}
        </pre>
      )}
      <Markdown text={text} />
    </article>
  );
}
