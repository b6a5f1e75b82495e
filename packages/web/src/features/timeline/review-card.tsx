import { useEffect, type ReactNode } from 'react';
import type { MessageUpsert, ReviewComment } from '@liminal/contracts';
import { showControls, showHidden } from '@liminal/domain/text/visible-text';
import { LongText } from '../../rendering/long-text.tsx';
import { useComments, useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import './review-card.css';

const firstComment = /^### 1\. .+, lines? \d+/m;

/** A sent review has its comments under numbered headings. */
export const isReview = (content: string): boolean => firstComment.test(content);

/** A sent review: each of its comments links to its line. Without them it is shown as the sent text. */
export function ReviewCard({ item }: { readonly item: MessageUpsert }): ReactNode {
  const { api, reviews } = useWorkbench();
  const { store } = useSession();
  const comments = useComments();
  const isUnknown = comments === undefined;
  useEffect(() => {
    if (!isUnknown) return;
    void api.session.comments(store.sessionId).then((reply) => reply.ok && store.setComments(reply.value.comments));
  }, [api, store, isUnknown]);
  const sent = (comments ?? []).filter(
    ({ sentTurnId, text }) => sentTurnId === item.turnId && item.content.includes(text),
  );
  if (sent.length === 0) return <LongText text={showControls(item.content)} />;
  const note = item.content.slice(0, item.content.search(firstComment)).trim();
  const show = ({ scope, turnId, path, endLine, side }: ReviewComment): void =>
    reviews.open(store.sessionId, { scope, ...(turnId !== undefined && { turnId }), path, line: endLine, side });
  return (
    <div className="review-card">
      <p className="review-card-head">
        <Icon name="comment" size={14} />
        {`Review with ${plural(sent.length, 'comment')}`}
      </p>
      {note !== '' && <LongText text={showControls(note)} />}
      <ol>
        {sent.map((comment) => (
          <li key={comment.commentId}>
            <button type="button" className="link-button" onClick={() => show(comment)}>
              <code>{placeText(comment)}</code>
            </button>
            {(comment.state === 'resolved' || comment.outdated) && (
              <span className="muted">{comment.state === 'resolved' ? 'Resolved' : 'Outdated'}</span>
            )}
            <LongText text={showControls(comment.text)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

const placeText = ({ path, startLine, endLine, side }: ReviewComment): string =>
  `${showHidden(path)}:${startLine === endLine ? startLine : `${startLine}–${endLine}`}${side === 'old' ? ' before' : ''}`;
