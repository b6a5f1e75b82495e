import type { SessionSummary } from '@liminal/contracts';
import { isUnseen } from '@liminal/domain/session/attention';
import type { Api } from '../../connection/api.ts';

type SeenDeps = {
  readonly api: Pick<Api['session'], 'patch'>;
  readonly sessions: () => ReadonlyMap<string, SessionSummary>;
  /** Shows the marks before the server has confirmed them. */
  readonly show: (session: SessionSummary) => void;
  /** The visible sessions. */
  readonly inView: () => readonly string[];
};

/**
 * Reports what the user has seen. The server stores it, so a session read on one device is read on all. A visible
 * session that the user marks as unread stays so until it is shown again.
 */
export function createSeenSessions({ api, sessions, show, inView }: SeenDeps) {
  let shown: ReadonlySet<string> = new Set();

  const report = (session: SessionSummary): void => {
    const { ended, marks } = session;
    if (!isUnseen(session)) return;
    const { unread: _unread, ...rest } = marks ?? {};
    show({ ...session, marks: { ...rest, ...(ended && { seen: ended.id }) } });
    void api.patch(session.sessionId, ended === undefined ? { unread: false } : { seen: ended.id });
  };

  return {
    /** The server's list has changed: something may have ended in view. */
    sessionChanged(after: SessionSummary): void {
      if (inView().includes(after.sessionId) && after.marks?.unread !== true) report(after);
    },
    /** Other sessions are visible now. */
    viewChanged(): void {
      const now = inView();
      for (const sessionId of now) {
        const session = sessions().get(sessionId);
        if (session !== undefined && !shown.has(sessionId)) report(session);
      }
      shown = new Set(now);
    },
  };
}
