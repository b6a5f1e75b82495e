import type { ClusterView, SessionSummary } from '@liminal/contracts';
import { sameValue } from '@liminal/domain/timeline/same-value';

export type DirectoryChange = {
  readonly sessions: readonly SessionSummary[];
  readonly removed: readonly string[];
  /** The state of the cluster, when it has changed. */
  readonly cluster?: ClusterView;
};

/** Every session, open or not, as the sidebar lists it. */
export interface SessionDirectory {
  all(): readonly SessionSummary[];
  get(sessionId: string): SessionSummary | undefined;
  /** Followers aren't notified when nothing changed. */
  put(summary: SessionSummary): void;
  remove(sessionId: string): void;
  follow(listener: (change: DirectoryChange) => void): () => void;
  /** The state of the cluster, where there are several machines. */
  view?(): ClusterView;
  /** False until the sessions of all machines are known, where there are several. */
  isComplete?(): boolean;
}

export function createMemoryDirectory(): SessionDirectory {
  const summaries = new Map<string, SessionSummary>();
  const listeners = new Set<(change: DirectoryChange) => void>();
  const notify = (change: DirectoryChange) => {
    for (const listener of listeners) listener(change);
  };
  return {
    all: () => [...summaries.values()],
    get: (sessionId) => summaries.get(sessionId),
    put(summary) {
      if (sameValue(summaries.get(summary.sessionId), summary)) return;
      summaries.set(summary.sessionId, summary);
      notify({ sessions: [summary], removed: [] });
    },
    remove(sessionId) {
      if (summaries.delete(sessionId)) notify({ sessions: [], removed: [sessionId] });
    },
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
