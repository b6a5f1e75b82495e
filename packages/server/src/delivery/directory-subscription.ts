import type { ClusterView, SessionSummary } from '@liminal/contracts';
import type { DirectoryChange, SessionDirectory } from '../bus/directory.ts';
import type { FrameSource } from './pump.ts';

/** Limits how much is written, parsed and rendered at once: the list may have tens of thousands of sessions. */
const sessionsOfFrame = 500;

/**
 * One reader of the list of sessions. It gets all sessions first, newest in the first frame, then changes. Only the
 * newest state of each session waits.
 */
export function createDirectorySubscription(directory: SessionDirectory, wake: () => void): FrameSource {
  /** Null for a removed session. */
  const waiting = new Map<string, SessionSummary | null>();
  let isFirst = true;
  /** Set between two frames of a long list, so the first frame goes out and other readers get a turn. */
  let pause: NodeJS.Immediate | null = null;
  let cluster: ClusterView | undefined = directory.view?.();
  const all = directory.all().toReversed();
  const isComplete = directory.isComplete?.() ?? true;
  /** How many of them haven't been sent. They are first in the queue, where a changed one keeps its place. */
  let unsent = all.length;

  const note = ({ sessions, removed, cluster: view }: DirectoryChange): void => {
    cluster = view ?? cluster;
    for (const summary of sessions) waiting.set(summary.sessionId, summary);
    for (const sessionId of removed) waiting.set(sessionId, null);
    wake();
  };
  note({ sessions: all, removed: [] });
  const unfollow = directory.follow(note);

  return {
    take() {
      const taken = waiting.entries().take(sessionsOfFrame).toArray();
      const sessions = taken.flatMap(([, summary]) => summary ?? []);
      const removed = taken.flatMap(([sessionId, summary]) => (summary === null ? [sessionId] : []));
      for (const [sessionId] of taken) waiting.delete(sessionId);
      const isLast = isComplete && (isFirst || unsent > 0) && unsent <= taken.length;
      unsent = Math.max(0, unsent - taken.length);
      isFirst = false;
      if (waiting.size > 0)
        pause = setImmediate(() => {
          pause = null;
          wake();
        });
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
    get ready() {
      return pause === null && (isFirst || waiting.size > 0 || cluster !== undefined);
    },
    holding: false,
    flushHeld: () => {},
    stop() {
      if (pause) clearImmediate(pause);
      unfollow();
    },
  };
}
