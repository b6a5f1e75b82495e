import type { ClusterView, SessionSummary } from '@liminal/contracts';
import type { DirectoryChange, SessionDirectory } from '../bus/directory.ts';
import type { FrameSource } from './pump.ts';

/** Limits how much is written, parsed and rendered at once: the list may have tens of thousands of sessions. */
const sessionsOfFrame = 500;

/**
 * One reader of the list of sessions. It gets all sessions first, newest in the first frame, then changes, of each
 * session only the newest. The first frame costs the same however long the list is.
 */
export function createDirectorySubscription(directory: SessionDirectory, wake: () => void): FrameSource {
  /** Null for a removed session. */
  const changed = new Map<string, SessionSummary | null>();
  let isFirst = true;
  /** Between two frames of a long list. The first one leaves before the next is made, and other readers get a turn. */
  let isPausing = false;
  let pause: NodeJS.Immediate | null = null;
  let cluster: ClusterView | undefined = directory.view?.();
  /** Oldest first; the first `unsent` of them are still to be sent. */
  let all = directory.all();
  const isComplete = directory.isComplete?.() ?? true;
  let unsent = all.length;

  const unfollow = directory.follow(({ sessions, removed, cluster: view }: DirectoryChange) => {
    cluster = view ?? cluster;
    for (const summary of sessions) changed.set(summary.sessionId, summary);
    for (const sessionId of removed) changed.set(sessionId, null);
    wake();
  });
  wake();

  /** The next sessions of the full list, in their newest state; then those that have changed. */
  const takeNext = (): { sessions: SessionSummary[]; removed: string[] } => {
    const [sessions, removed]: [SessionSummary[], string[]] = [[], []];
    const isFull = (): boolean => sessions.length + removed.length >= sessionsOfFrame;
    const add = (sessionId: string, summary: SessionSummary | null): void => {
      changed.delete(sessionId);
      if (summary) sessions.push(summary);
      else removed.push(sessionId);
    };
    while (unsent > 0 && !isFull()) {
      const listed = all[(unsent -= 1)];
      const newest = listed && changed.get(listed.sessionId);
      if (listed) add(listed.sessionId, newest === undefined ? listed : newest);
    }
    if (unsent === 0) all = [];
    for (const [sessionId, summary] of changed) {
      if (isFull()) break;
      add(sessionId, summary);
    }
    return { sessions, removed };
  };
  const hasMore = (): boolean => unsent > 0 || changed.size > 0;

  return {
    take() {
      const wasUnsent = isFirst || unsent > 0;
      isFirst = false;
      const { sessions, removed } = takeNext();
      const isLast = isComplete && wasUnsent && unsent === 0;
      isPausing = hasMore();
      const message = {
        type: 'directory:changed',
        sessions,
        ...(removed.length > 0 ? { removed } : {}),
        ...(cluster ? { cluster } : {}),
        ...(isLast ? { complete: true } : {}),
      };
      cluster = undefined;
      return [JSON.stringify(message)];
    },
    sent: () => {
      if (!isPausing || pause) return;
      pause = setImmediate(() => {
        pause = null;
        isPausing = false;
        wake();
      });
    },
    get ready() {
      return !isPausing && (isFirst || hasMore() || cluster !== undefined);
    },
    holding: false,
    flushHeld: () => {},
    stop() {
      if (pause) clearImmediate(pause);
      unfollow();
    },
  };
}
