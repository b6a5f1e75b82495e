import type { ReviewComment } from '@liminal/contracts';
import type { Api } from '../../connection/api.ts';
import type { LineRange } from '../../rendering/diff/line-ref.ts';
import { plural } from '../../ui/format.ts';
import type { Cell } from '../base/cell.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import {
  isSameQuery,
  unsaved,
  writtenOf,
  type CommentTarget,
  type Editing,
  type ReviewState,
  type Written,
} from './review-state.ts';
import { findAgain, shownText } from './shown-lines.ts';

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
  let lastEditor = 0;
  const edit = (id: number, change: Partial<Written>): void =>
    state.update((held) => {
      const editing = held.editing.find((each) => each.id === id);
      if (editing === undefined) return held;
      return { ...held, written: new Map([...held.written, [id, { ...writtenOf(held, editing), ...change }]]) };
    });
  const close = (id: number): void =>
    state.update((held) => ({
      ...held,
      editing: held.editing.filter((each) => each.id !== id),
      written: new Map([...held.written].filter(([each]) => each !== id)),
      focused: held.focused?.id === id ? null : held.focused,
    }));
  const failed = (what: string, message: string): void =>
    state.update((held) => ({ ...held, outcome: { text: `${what} ${message}`, isFailure: true } }));
  /** Returns whether all were deleted. */
  async function remove(commentIds: readonly string[]): Promise<boolean> {
    for (const commentId of commentIds) {
      const reply = await api.removeComment(sessionId, commentId);
      if (!reply.ok) {
        failed("Couldn't delete the comment.", reply.failure.message);
        return false;
      }
      session.setComments((session.comments() ?? []).filter((comment) => comment.commentId !== commentId));
    }
    return true;
  }
  /** The last message if it wasn't answered: it may have been sent, so it keeps its id. With another note it is another one. */
  let unanswered: { readonly clientMessageId: string; readonly note: string } | null = null;

  return {
    /** Reloads them, with the current positions of their lines. */
    async read(): Promise<void> {
      const reply = await api.comments(sessionId);
      if (reply.ok) session.setComments(reply.value.comments);
    },
    /** Opens an editor, or returns to the one that is open there. Others stay open if they have unsaved text. */
    begin: (path: string, range: LineRange, comment?: ReviewComment): void =>
      state.update((held) => {
        const open = held.editing.find((each) =>
          comment === undefined
            ? isNewAt(each, path, range) && isSameQuery(each.query, held.query) && !writtenOf(held, each).isBusy
            : each.commentId === comment.commentId,
        );
        const kept = unsaved(held);
        if (open !== undefined) {
          const editing = held.editing.filter((each) => each === open || kept.includes(each));
          return { ...held, editing, focused: { id: open.id } };
        }
        const id = (lastEditor += 1);
        const editing = {
          id,
          path,
          range,
          query: held.query,
          target: targetOf(held, path, range),
          about: shownText(held, path, range),
          ...(comment && { commentId: comment.commentId }),
          original: comment?.text ?? '',
        };
        return { ...held, editing: [...kept, editing], focused: { id } };
      }),
    write: (id: number, text: string): void => edit(id, { text, failure: null }),
    cancel: close,
    async save(id: number): Promise<void> {
      const held = state.get();
      const editing = held.editing.find((each) => each.id === id);
      if (editing === undefined) return;
      const { text, isBusy } = writtenOf(held, editing);
      if (isBusy || text.trim() === '') return;
      edit(id, { isBusy: true, failure: null });
      // Scrolling back to it while it is saved must not take the focus again.
      state.update((now) => ({ ...now, focused: now.focused?.id === id ? null : now.focused }));
      const { path, commentId } = editing;
      const { target, range } = placeOf(held, editing);
      const place = { path, side: range.side, startLine: range.from, endLine: range.to };
      const reply =
        commentId === undefined
          ? await api.addComment(sessionId, { ...target, ...place, text })
          : await api.editComment(sessionId, commentId, { text });
      if (!reply.ok) {
        if (reply.failure.code === 'STALE') refresh();
        edit(id, { isBusy: false, failure: reply.failure.message });
        // The editor may be out of view by now.
        return failed("Couldn't save the comment.", reply.failure.message);
      }
      session.setComments(withComment(session.comments() ?? [], reply.value));
      close(id);
    },
    async setState(comment: ReviewComment, next: 'draft' | 'resolved'): Promise<void> {
      const reply = await api.editComment(sessionId, comment.commentId, { state: next });
      if (reply.ok) session.setComments(withComment(session.comments() ?? [], reply.value));
      else failed("Couldn't change the comment.", reply.failure.message);
    },
    remove,
    /** Deletes all drafts, and the note for them. */
    async discard(): Promise<void> {
      const drafts = (session.comments() ?? []).filter((comment) => comment.state === 'draft');
      if (await remove(drafts.map(({ commentId }) => commentId))) state.update((held) => ({ ...held, note: '' }));
    },
    /** Sends all drafts as one message, with the note. */
    async send(mode: 'queue' | 'steer'): Promise<void> {
      const { note } = state.get();
      const message = unanswered?.note === note ? unanswered : { clientMessageId: newId(), note };
      unanswered = message;
      state.update((held) => ({ ...held, isBusy: true }));
      const words = note.trim();
      const { clientMessageId } = message;
      const reply = await api.review(sessionId, { mode, clientMessageId, ...(words !== '' && { note }) });
      if (reply.ok || reply.failure.code !== 'UNREACHABLE') unanswered = null;
      const outcome = reply.ok
        ? {
            text: `Sent ${plural(reply.value.commentIds.length, 'comment')}.`,
            isFailure: false,
            turnId: reply.value.turnId,
          }
        : { text: `Couldn't send the review. ${reply.failure.message}`, isFailure: true };
      // A note that was changed meanwhile is for the next review.
      const isSent = (held: ReviewState): boolean => reply.ok && held.note === note;
      state.update((held) => ({ ...held, isBusy: false, outcome, note: isSent(held) ? '' : held.note }));
    },
  };
}
export type ReviewComments = ReturnType<typeof createReviewComments>;

const isNewAt = ({ path, range, commentId }: Editing, at: string, { side, from, to }: LineRange): boolean =>
  commentId === undefined && path === at && range.side === side && range.from === from && range.to === to;

/**
 * What a new comment is about. The file may have changed while it was written: then the same lines are searched in it.
 * If they aren't there, the comment keeps the old content, which the server refuses.
 */
function placeOf(held: ReviewState, { path, range, query, target, about }: Editing): Pick<Editing, 'target' | 'range'> {
  const now = isSameQuery(query, held.query) ? targetOf(held, path, range) : target;
  if (about === null || now.blobId === target.blobId) return { target: now, range };
  const found = findAgain(held, path, range, about);
  return found === null ? { target, range } : { target: now, range: found };
}

/** The shown content that some lines are part of. */
function targetOf({ query, bodies, list }: ReviewState, path: string, { side }: LineRange): CommentTarget {
  const body = bodies.get(path);
  const ids = body?.phase === 'ready' ? body.reply : { oldId: null, newId: null };
  const blobId = side === 'old' ? ids.oldId : ids.newId;
  // "This turn" changes as soon as the next one starts.
  const turnId = query.turnId ?? (query.scope === 'turn' && list.phase === 'ready' ? list.reply.turnId : undefined);
  return { ...query, ...(turnId !== undefined && { turnId }), ...(blobId !== null && { blobId }) };
}

const withComment = (comments: readonly ReviewComment[], comment: ReviewComment): ReviewComment[] => {
  const isKnown = comments.some(({ commentId }) => commentId === comment.commentId);
  return isKnown
    ? comments.map((held) => (held.commentId === comment.commentId ? comment : held))
    : [...comments, comment];
};
