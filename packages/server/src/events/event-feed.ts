import type { EventsReply, SessionSummary, WorkbenchEvent } from '@liminal/contracts';
import { eventsBetween } from '@liminal/domain/session/session-events';
import type { SessionDirectory } from '../bus/directory.ts';

export type EventFeed = {
  /** The events after a cursor; where there are none yet, the first ones within the time, or none. */
  read(after: string | undefined, waitMs: number, signal: AbortSignal): Promise<EventsReply>;
  close(): void;
};

export type EventFeedDeps = {
  readonly directory: SessionDirectory;
  readonly now: () => string;
  /** Names this run of the server: numbers of another one mean nothing. */
  readonly epoch: string;
  /** How many events are kept. */
  readonly size?: number;
};

/** What happened to sessions, in order, for programs. Kept in memory: a program that missed some lists the sessions anew. */
export function createEventFeed({ directory, now, epoch, size = 1_000 }: EventFeedDeps): EventFeed {
  const startedAt = now();
  const known = new Map<string, SessionSummary>(directory.all().map((summary) => [summary.sessionId, summary]));
  const waiting = new Set<() => void>();
  let events: WorkbenchEvent[] = [];
  let count = 0;

  const note = (sessionId: string, after: SessionSummary | undefined): void => {
    const isNew = after !== undefined && after.createdAt >= startedAt;
    for (const event of eventsBetween(known.get(sessionId), after, isNew)) {
      events.push({ id: `${epoch}.${(count += 1)}`, at: now(), ...event });
    }
    if (after) known.set(sessionId, after);
    else known.delete(sessionId);
  };
  const unfollow = directory.follow(({ sessions, removed }) => {
    const before = count;
    for (const summary of sessions) note(summary.sessionId, summary);
    for (const sessionId of removed) note(sessionId, undefined);
    if (count === before) return;
    events = events.slice(-size);
    for (const wake of waiting) wake();
  });

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
