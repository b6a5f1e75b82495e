import type { ClusterView, SessionSummary } from '@liminal/contracts';
import type { DirectoryChange, SessionDirectory } from '../bus/directory.ts';
import type { FrameSource } from './pump.ts';

/** One reader of the list of sessions: all of them first, then changes; of each session only the newest state waits. */
export function createDirectorySubscription(directory: SessionDirectory, wake: () => void): FrameSource {
  /** Null for a session that is gone. */
  const waiting = new Map<string, SessionSummary | null>();
  let isFirst = true;
  let cluster: ClusterView | undefined = directory.view?.();

  const note = ({ sessions, removed, cluster: view }: DirectoryChange): void => {
    cluster = view ?? cluster;
    for (const summary of sessions) waiting.set(summary.sessionId, summary);
    for (const sessionId of removed) waiting.set(sessionId, null);
    wake();
  };
  note({ sessions: directory.all(), removed: [] });
  const unfollow = directory.follow(note);

  return {
    take() {
      const sessions = [...waiting.values()].filter((summary) => summary !== null);
      const removed = [...waiting].flatMap(([sessionId, summary]) => (summary === null ? [sessionId] : []));
      waiting.clear();
      isFirst = false;
      const message = {
        type: 'directory:changed',
        sessions,
        ...(removed.length > 0 ? { removed } : {}),
        ...(cluster ? { cluster } : {}),
      };
      cluster = undefined;
      return [JSON.stringify(message)];
    },
    get ready() {
      return isFirst || waiting.size > 0 || cluster !== undefined;
    },
    holding: false,
    flushHeld: () => {},
    stop: unfollow,
  };
}
