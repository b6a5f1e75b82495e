import type { ClusterView, SessionSummary } from '@liminal/contracts';
import type { DirectoryChange, SessionDirectory } from '../bus/directory.ts';
import type { FrameSource } from './pump.ts';

/** In one frame: what is written, read and drawn at once, of a list that may have tens of thousands. */
const sessionsOfFrame = 500;

/**
 * One reader of the list of sessions: all of them first, those made last in the first frame, then changes; of each
 * session only the newest state waits.
 */
export function createDirectorySubscription(directory: SessionDirectory, wake: () => void): FrameSource {
  /** Null for a session that is gone. */
  const waiting = new Map<string, SessionSummary | null>();
  let isFirst = true;
  /** Between two frames of a long list everybody else has a turn, and the first is on its way. */
  let pause: NodeJS.Immediate | null = null;
  let cluster: ClusterView | undefined = directory.view?.();

  const note = ({ sessions, removed, cluster: view }: DirectoryChange): void => {
    cluster = view ?? cluster;
    for (const summary of sessions) waiting.set(summary.sessionId, summary);
    for (const sessionId of removed) waiting.set(sessionId, null);
    wake();
  };
  note({ sessions: directory.all().toReversed(), removed: [] });
  const unfollow = directory.follow(note);

  return {
    take() {
      const taken = waiting.entries().take(sessionsOfFrame).toArray();
      const sessions = taken.flatMap(([, summary]) => summary ?? []);
      const removed = taken.flatMap(([sessionId, summary]) => (summary === null ? [sessionId] : []));
      for (const [sessionId] of taken) waiting.delete(sessionId);
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
