import type { ClusterView, SessionSummary } from '@liminal/contracts';
import { sameValue } from '@liminal/domain/timeline/same-value';

export type DirectoryChange = {
  readonly sessions: readonly SessionSummary[];
  readonly removed: readonly string[];
  /** How the machines stand to each other, when that has changed. */
  readonly cluster?: ClusterView;
};

/** Every session there is, open or not, as a list shows it. */
export interface SessionDirectory {
  all(): readonly SessionSummary[];
  get(sessionId: string): SessionSummary | undefined;
  /** Nobody is notified of what isn’t new. */
  put(summary: SessionSummary): void;
  remove(sessionId: string): void;
  follow(listener: (change: DirectoryChange) => void): () => void;
  /** The machines, where there are several. */
  view?(): ClusterView;
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
