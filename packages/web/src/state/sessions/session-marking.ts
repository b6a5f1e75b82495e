import type { PatchSessionBody, SessionMarks, SessionSummary } from '@liminal/contracts';
import { attentionKey } from '@liminal/domain/session/attention';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';
import type { FailureStore } from '../workbench/background-actions.ts';
import { titleOf } from './titles.ts';

type Change = Pick<PatchSessionBody, 'unread' | 'seen' | 'pinned' | 'snoozed'>;

/** An action on a session in the inbox that the user can undo. */
export type Undoable = { readonly notice: string; readonly undo: () => void };

type MarkingDeps = {
  readonly api: Pick<Api['session'], 'patch'>;
  readonly sessions: () => ReadonlyMap<string, SessionSummary>;
  readonly show: (session: SessionSummary) => void;
  readonly failures: FailureStore;
};

/** Pins, snoozes and unread marks: shown at once, sent to the server, and each can be undone. */
export function createSessionMarking({ api, sessions, show, failures }: MarkingDeps) {
  const last: Cell<Undoable | null> = createCell<Undoable | null>(null);

  const send = async (sessionId: string, change: Change, after: SessionMarks): Promise<void> => {
    const before = sessions().get(sessionId);
    if (before === undefined) return;
    show({ ...before, marks: after });
    const reply = await api.patch(sessionId, change);
    if (reply.ok) return;
    show({ ...(sessions().get(sessionId) ?? before), marks: before.marks ?? {} });
    failures.report(`“${titleOf(before)}” was not changed.`, reply.failure);
  };

  const mark = (sessionId: string, change: Change, after: SessionMarks, notice: string): void => {
    const { marks = {} } = sessions().get(sessionId) ?? {};
    void send(sessionId, change, after);
    last.set({
      notice,
      undo() {
        last.set(null);
        void send(sessionId, backTo(marks, change), marks);
      },
    });
  };
  const marksOf = (sessionId: string): SessionMarks => sessions().get(sessionId)?.marks ?? {};

  return {
    last,
    pin: (sessionId: string, pinned: boolean): void =>
      mark(sessionId, { pinned }, { ...marksOf(sessionId), pinned }, pinned ? 'Pinned.' : 'Unpinned.'),
    markUnread: (sessionId: string): void =>
      mark(sessionId, { unread: true }, { ...marksOf(sessionId), unread: true }, 'Marked as unread.'),
    markRead(sessionId: string): void {
      const session = sessions().get(sessionId);
      const { unread: _unread, ...marks } = marksOf(sessionId);
      const seen = session?.ended?.id;
      const change = seen === undefined ? { unread: false } : { seen };
      mark(sessionId, change, { ...marks, ...(seen !== undefined && { seen }) }, 'Marked as read.');
    },
    /** Until an ISO time, or with `change` until the session changes. */
    snooze(sessionId: string, until: string, notice: string): void {
      const session = sessions().get(sessionId);
      if (session === undefined) return;
      const snoozed = { until: until === 'change' ? null : until, key: attentionKey(session) };
      mark(sessionId, { snoozed: { until } }, { ...marksOf(sessionId), snoozed }, notice);
    },
  };
}
export type SessionMarking = ReturnType<typeof createSessionMarking>;

/** The change that undoes another one. */
function backTo(marks: SessionMarks, change: Change): Change {
  return {
    ...(change.pinned !== undefined && { pinned: marks.pinned ?? false }),
    ...((change.unread !== undefined || change.seen !== undefined) && {
      ...(marks.seen !== undefined && { seen: marks.seen }),
      unread: marks.unread ?? marks.seen === undefined,
    }),
    ...(change.snoozed !== undefined && {
      snoozed: marks.snoozed === undefined ? null : { until: marks.snoozed.until ?? 'change' },
    }),
  };
}
