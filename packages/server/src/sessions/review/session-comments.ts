import {
  fail,
  ok,
  type AddCommentBody,
  type ChangedFileQuery,
  type ChangedFileReply,
  type CommentsReply,
  type EditCommentBody,
  type Result,
  type ReviewComment,
  type SendReviewBody,
  type SendReviewReply,
} from '@liminal/contracts';
import { linesOfSide } from '@liminal/domain/review/patch-side';
import { reviewMessage } from '@liminal/domain/review/review-message';
import { createQueues } from '../../git/tree-queue.ts';
import type { CommentRow } from '../../store/review-rows.ts';
import type { StoreWrite } from '../../store/rows.ts';
import type { SessionServiceDeps } from '../service/session-service.ts';
import type { createSessionTurns } from '../service/session-turns.ts';
import { commentOf, listComments } from './comment-list.ts';

export type SessionCommentsDeps = Pick<SessionServiceDeps, 'store' | 'roster' | 'places' | 'now' | 'newId'> & {
  readonly changedFile: (sessionId: string, query: ChangedFileQuery) => Promise<Result<ChangedFileReply>>;
  readonly send: ReturnType<typeof createSessionTurns>['send'];
};

/** The longest file content kept with a comment; for longer ones the quote locates the lines. */
const mostContent = 256 * 1024;
const wholeFile = 1_000_000;

/** Comments on changes, and the review that sends them. They are on disk before anybody sees them. */
export function createSessionComments(deps: SessionCommentsDeps) {
  const { store, roster, now, newId } = deps;
  const reviews = createQueues();
  const find = (sessionId: string, commentId: string): Result<CommentRow> => {
    const row = store.comments(sessionId).find((comment) => comment.commentId === commentId);
    return row ? ok(row) : fail('COMMENT_NOT_FOUND', 'There is no comment with this id.');
  };
  /** Writes, then sends all readers the new list. */
  const record = (sessionId: string, writes: readonly StoreWrite[]) =>
    roster.with<ReviewComment[]>(sessionId, async ({ shell }) => {
      await shell.recordReview(writes);
      const comments = await listComments(deps, shell);
      await shell.publishComments(comments);
      return ok(comments);
    });
  const put = async (row: CommentRow): Promise<Result<ReviewComment>> => {
    const recorded = await record(row.sessionId, [{ type: 'put-comment', row }]);
    if (!recorded.ok) return recorded;
    return ok(recorded.value.find(({ commentId }) => commentId === row.commentId) ?? commentOf(row));
  };

  /** The commented lines, as the change shows them. */
  const quoted = async (
    sessionId: string,
    { scope, turnId, base, path, side, startLine, endLine, blobId }: AddCommentBody,
  ): Promise<Result<Pick<CommentRow, 'quote' | 'content'>>> => {
    const place = { scope, ...(turnId !== undefined && { turnId }), ...(base !== undefined && { base }) };
    const query = { ...place, path, context: wholeFile, whitespace: 'show', full: true } as const;
    const shown = await deps.changedFile(sessionId, query);
    if (!shown.ok) return shown;
    const { patch, oldId, newId: newBlob } = shown.value;
    const id = side === 'old' ? oldId : newBlob;
    if (blobId !== undefined && id !== null && blobId !== id) {
      return fail('STALE', 'The file changed since it was shown. Look at the change again, then comment.');
    }
    if (patch === undefined) return fail('INVALID_REQUEST', 'Only lines of text can be commented on.');
    const lines = linesOfSide(patch, side);
    const wanted = Array.from({ length: endLine - startLine + 1 }, (_, place) => lines.get(startLine + place));
    if (wanted.includes(undefined)) return fail('INVALID_REQUEST', `"${path}" has no such lines on this side.`);
    const content = [...lines.values()].join('\n');
    const isWhole = id !== null && content.length <= mostContent;
    return ok({ quote: wanted.map((line) => `${line ?? ''}\n`).join(''), content: isWhole ? content : null });
  };

  const sendReview = async (
    sessionId: string,
    { mode, note, clientMessageId }: SendReviewBody,
  ): Promise<Result<SendReviewReply>> => {
    const again = clientMessageId === undefined ? undefined : store.turnOfClientMessage(sessionId, clientMessageId);
    if (again !== undefined) {
      const sent = store.comments(sessionId).filter(({ sentTurnId }) => sentTurnId === again);
      return ok({ turnId: again, commentIds: sent.map(({ commentId }) => commentId) });
    }
    const listed = await roster.with(sessionId, async ({ shell }) => ok(await listComments(deps, shell)));
    if (!listed.ok) return listed;
    const drafts = listed.value.filter(({ state }) => state === 'draft');
    if (drafts.length === 0) return fail('INVALID_REQUEST', 'There is no comment to send. Write one first.');
    const sentTexts = new Map(drafts.map(({ commentId, text }) => [commentId, text]));
    // Read when it is written: a comment that was edited, resolved or deleted meanwhile stays so.
    const marked = (turnId: string): StoreWrite[] =>
      store
        .comments(sessionId)
        .filter(({ commentId, text, state }) => sentTexts.get(commentId) === text && state !== 'resolved')
        .map((row) => ({ type: 'put-comment', row: { ...row, state: 'sent', sentTurnId: turnId } }));
    let promised = '';
    const sent = await deps.send(
      sessionId,
      {
        content: reviewMessage(drafts, note),
        ...(mode !== undefined && { mode }),
        ...(clientMessageId !== undefined && { clientMessageId }),
      },
      // In the same write as the message: after a crash both were sent, or neither.
      (turnId) => marked((promised = turnId)),
    );
    if (!sent.ok) {
      if (promised !== '') await record(sessionId, draftsAgain(store.comments(sessionId), promised));
      return sent;
    }
    const { turnId } = sent.value;
    const recorded = await record(sessionId, turnId === promised ? [] : marked(turnId));
    return recorded.ok ? ok({ turnId, commentIds: drafts.map(({ commentId }) => commentId) }) : recorded;
  };

  return {
    comments: (sessionId: string) =>
      roster.with<CommentsReply>(sessionId, async ({ shell }) => ok({ comments: await listComments(deps, shell) })),

    async addComment(sessionId: string, body: AddCommentBody): Promise<Result<ReviewComment>> {
      if (endsTooFar(body)) return fail('INVALID_REQUEST', 'A comment covers at most 1,000 lines.');
      const found = await quoted(sessionId, body);
      if (!found.ok) return found;
      const { blobId: _blobId, turnId, base, ...place } = body;
      return put({
        ...place,
        ...(turnId !== undefined && { turnId }),
        ...(base !== undefined && { base }),
        ...found.value,
        sessionId,
        commentId: newId(),
        state: 'draft',
        outdated: false,
        createdAt: now(),
      });
    },

    async editComment(
      sessionId: string,
      commentId: string,
      { text, state }: EditCommentBody,
    ): Promise<Result<ReviewComment>> {
      const found = find(sessionId, commentId);
      if (!found.ok) return found;
      const { sentTurnId, ...row } = found.value;
      // A sent comment that is reopened was still sent; it becomes a draft only if it will be sent again.
      const sent = state === 'draft' || sentTurnId === undefined ? {} : { sentTurnId };
      return put({ ...row, ...sent, ...(text !== undefined && { text }), ...(state !== undefined && { state }) });
    },

    async removeComment(sessionId: string, commentId: string): Promise<Result<null>> {
      const found = find(sessionId, commentId);
      if (!found.ok) return found;
      const recorded = await record(sessionId, [{ type: 'remove-comment', sessionId, commentId }]);
      return recorded.ok ? ok(null) : recorded;
    },

    /** One at a time: two pages that send the same drafts at once would send each comment twice. */
    review: (sessionId: string, body: SendReviewBody) => reviews.run(sessionId, () => sendReview(sessionId, body)),
  };
}

const endsTooFar = ({ startLine, endLine }: AddCommentBody): boolean => endLine - startLine >= 1_000;

/** A review removed from the queue wasn't sent: its comments become drafts again. */
export function draftsAgain(comments: readonly CommentRow[], turnId: string): StoreWrite[] {
  return comments
    .filter(({ state, sentTurnId }) => state === 'sent' && sentTurnId === turnId)
    .map(({ sentTurnId: _sentTurnId, ...row }) => ({ type: 'put-comment', row: { ...row, state: 'draft' } }));
}
