import type { ReviewComment } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import type { LineRange } from '../../rendering/diff/line-ref.ts';
import { plural } from '../../ui/format.ts';
import type { Cell } from '../base/cell.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Editing, ReviewState } from './review-state.ts';

export type ReviewCommentsDeps = {
  readonly api: Pick<Api['session'], 'comments' | 'addComment' | 'editComment' | 'removeComment' | 'review'>;
  readonly session: SessionStore;
  readonly state: Cell<ReviewState>;
  readonly newId: () => string;
  readonly refresh: () => void;
};

/** The server stores comments: a saved one appears on every device. */
export function createReviewComments({ api, session, state, newId, refresh }: ReviewCommentsDeps) {
  const { sessionId } = session;
  const edit = (change: (editing: Editing) => Editing | null): void =>
    state.update((held) => (held.editing === null ? held : { ...held, editing: change(held.editing) }));
  const failed = (what: string, message: string): void =>
    state.update((held) => ({ ...held, outcome: { text: `${what} ${message}`, isFailure: true } }));
  /** Reuses the message id until the message is known to have arrived. */
  let messageId: string | null = null;

  return {
    /** Reloads them, with the current positions of their lines. */
    async read(): Promise<void> {
      const reply = await api.comments(sessionId);
      if (reply.ok) session.setComments(reply.value.comments);
    },
    begin: (path: string, range: LineRange, comment?: ReviewComment): void =>
      state.update((held) => ({
        ...held,
        editing: {
          path,
          range,
          ...(comment && { commentId: comment.commentId }),
          text: comment?.text ?? '',
          isBusy: false,
          failure: null,
        },
      })),
    write: (text: string): void => edit((editing) => ({ ...editing, text, failure: null })),
    cancel: (): void => edit(() => null),
    async save(): Promise<void> {
      const { editing, query, bodies, list } = state.get();
      if (editing === null || editing.isBusy || editing.text.trim() === '') return;
      edit((held) => ({ ...held, isBusy: true, failure: null }));
      const { path, range, commentId, text } = editing;
      const body = bodies.get(path);
      const ids = body?.phase === 'ready' ? body.reply : { oldId: null, newId: null };
      const blobId = range.side === 'old' ? ids.oldId : ids.newId;
      // "This turn" changes as soon as the next one starts.
      const turnId = query.turnId ?? (query.scope === 'turn' && list.phase === 'ready' ? list.reply.turnId : undefined);
      const base = query.base === undefined ? {} : { base: query.base };
      const scope = { scope: query.scope, ...(turnId !== undefined && { turnId }), ...base };
      const place = { path, side: range.side, startLine: range.from, endLine: range.to };
      const reply =
        commentId === undefined
          ? await api.addComment(sessionId, { ...scope, ...place, text, ...(blobId !== null && { blobId }) })
          : await api.editComment(sessionId, commentId, { text });
      if (!reply.ok) {
        if (reply.failure.code === 'STALE') refresh();
        return edit((held) => ({ ...held, isBusy: false, failure: reply.failure.message }));
      }
      session.setComments(withComment(session.comments() ?? [], reply.value));
      edit(() => null);
    },
    async setState(comment: ReviewComment, next: 'draft' | 'resolved'): Promise<void> {
      const reply = await api.editComment(sessionId, comment.commentId, { state: next });
      if (reply.ok) session.setComments(withComment(session.comments() ?? [], reply.value));
      else failed("Couldn't change the comment.", reply.failure.message);
    },
    async remove(commentIds: readonly string[]): Promise<void> {
      for (const commentId of commentIds) {
        const reply = await api.removeComment(sessionId, commentId);
        if (!reply.ok) return failed("Couldn't delete the comment.", reply.failure.message);
        session.setComments((session.comments() ?? []).filter((comment) => comment.commentId !== commentId));
      }
    },
    /** Sends all drafts as one message. */
    async send(mode: 'queue' | 'steer', note: string): Promise<boolean> {
      messageId ??= newId();
      state.update((held) => ({ ...held, isBusy: true }));
      const words = note.trim();
      const reply = await api.review(sessionId, { mode, clientMessageId: messageId, ...(words !== '' && { note }) });
      // Without an answer, it may have been sent: the next try is the same message.
      if (reply.ok || reply.failure.code !== 'UNREACHABLE') messageId = null;
      const outcome = reply.ok
        ? {
            text: `Sent ${plural(reply.value.commentIds.length, 'comment')}.`,
            isFailure: false,
            turnId: reply.value.turnId,
          }
        : { text: `Couldn't send the review. ${reply.failure.message}`, isFailure: true };
      state.update((held) => ({ ...held, isBusy: false, outcome }));
      return reply.ok;
    },
  };
}
export type ReviewComments = ReturnType<typeof createReviewComments>;

const withComment = (comments: readonly ReviewComment[], comment: ReviewComment): ReviewComment[] => {
  const isKnown = comments.some(({ commentId }) => commentId === comment.commentId);
  return isKnown
    ? comments.map((held) => (held.commentId === comment.commentId ? comment : held))
    : [...comments, comment];
};
