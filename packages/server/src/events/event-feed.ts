import type { EventsReply, SessionSummary, WorkbenchEvent } from '@liminal/contracts';
import { eventsBetween, type KnownSession } from '@liminal/domain/session/session-events';
import type { SessionDirectory } from '../bus/directory.ts';

export type EventFeed = {
  /** The events after a cursor. If there are none yet, waits up to `waitMs` for the first ones. */
  read(after: string | undefined, waitMs: number, signal: AbortSignal): Promise<EventsReply>;
  close(): void;
};

/** Events that occurred together, and the current state of their sessions. */
export type EventBatch = {
  readonly events: readonly WorkbenchEvent[];
  readonly seen: readonly SessionSummary[];
  readonly removed: readonly string[];
};

export type EventFeedDeps = {
  readonly directory: SessionDirectory;
  readonly now: () => string;
  /** Identifies this run of the server. Event numbers of other runs are invalid. */
  readonly epoch: string;
  /** The sessions as they were when the last events before the restart were created. */
  readonly seen?: readonly KnownSession[];
  /** Sessions created after this time are new, even if they were never seen. */
  readonly reportedSince?: string | undefined;
  /** Whether a session still exists although the directory doesn't list it: another machine has taken it over. */
  readonly isStored?: (sessionId: string) => boolean;
  /** Called with every event, including those from before the server started. */
  readonly onEvents?: (batch: EventBatch) => void;
  /** How many events to keep. */
  readonly size?: number;
};

/** Whether a session that isn't known yet was just created. */
type IsNew = (summary: SessionSummary) => boolean;

/** Session events in order, for programs. Kept in memory: a program that missed some must list the sessions again. */
export function createEventFeed(deps: EventFeedDeps): EventFeed {
  const { directory, now, epoch, seen = [], reportedSince, isStored = () => false, onEvents, size = 1_000 } = deps;
  const startedAt = now();
  const known = new Map<string, KnownSession>(seen.map((session) => [session.sessionId, session]));
  const waiting = new Set<() => void>();
  let events: WorkbenchEvent[] = [];
  let count = 0;

  const note = (sessionId: string, after: SessionSummary | undefined, isNew: boolean): void => {
    for (const event of eventsBetween(known.get(sessionId), after, isNew)) {
      events.push({ id: `${epoch}.${(count += 1)}`, at: now(), ...event });
    }
    if (after) known.set(sessionId, after);
    else known.delete(sessionId);
  };
  const take = (sessions: readonly SessionSummary[], removed: readonly string[], isNew: IsNew): void => {
    const before = count;
    for (const summary of sessions) note(summary.sessionId, summary, isNew(summary));
    for (const sessionId of removed) note(sessionId, undefined, false);
    if (count === before) return;
    const fresh = events.slice(before - count);
    const about = new Set(fresh.map(({ sessionId }) => sessionId));
    onEvents?.({ events: fresh, seen: sessions.filter(({ sessionId }) => about.has(sessionId)), removed });
    events = events.slice(-size);
    for (const wake of waiting) wake();
  };
  // Report what changed before the start: no server was running then, or it ended before it could report it.
  const there = directory.all();
  const ids = new Set(there.map(({ sessionId }) => sessionId));
  const gone = seen.filter(({ sessionId }) => !ids.has(sessionId) && !isStored(sessionId));
  take(
    there,
    gone.map(({ sessionId }) => sessionId),
    ({ createdAt }) => reportedSince !== undefined && createdAt >= reportedSince,
  );
  // A single machine knows all its sessions by now, so another one is new even if the clock was moved back. In a cluster,
  // old ones may still appear.
  const isNew: IsNew = ({ node, createdAt }) => node === undefined || createdAt >= startedAt;
  const unfollow = directory.follow(({ sessions, removed }) => take(sessions, removed, isNew));

  const since = (after: string | undefined): EventsReply => {
    const oldest = count - events.length;
    const [ofEpoch, number = ''] = after?.split('.') ?? [];
    const isOurs = ofEpoch === epoch && /^\d{1,15}$/.test(number) && Number(number) <= count;
    const from = isOurs ? Math.max(Number(number), oldest) : oldest;
    const isMissed = after !== undefined && (!isOurs || Number(number) < oldest);
    return {
      events: events.slice(from - oldest),
      next: `${epoch}.${count}`,
      ...(isMissed && { missed: true }),
    };
  };

  return {
    async read(after, waitMs, signal) {
      const reply = since(after);
      if (reply.events.length > 0 || reply.missed === true || waitMs <= 0 || signal.aborted) return reply;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, waitMs);
        waiting.add(end);
        signal.addEventListener('abort', end);
      });
      return since(after);
    },
    close() {
      unfollow();
      for (const wake of waiting) wake();
    },
  };
}
