import type { SessionSummary, WorkbenchEvent } from '@liminal/contracts';

/** An event without its id and time. */
export type SessionEvent = Omit<WorkbenchEvent, 'id' | 'at'>;

/** The fields of a session that its events are derived from. */
export type KnownSession = Pick<SessionSummary, 'sessionId' | 'projectId' | 'cliType' | 'title' | 'ended' | 'asks'>;

/**
 * What happened to a session between two states of the list. An unknown session counts as created only if `isNew`:
 * old sessions also appear while the list is being filled.
 */
export function eventsBetween(
  before: KnownSession | undefined,
  after: SessionSummary | undefined,
  isNew: boolean,
): SessionEvent[] {
  const session = after ?? before;
  if (!session) return [];
  const { sessionId, projectId, cliType, title } = session;
  const base = { sessionId, projectId, cliType, title };
  if (!after) return [{ kind: 'session-removed', ...base }];
  const events: SessionEvent[] = [];
  if (!before && isNew) events.push({ kind: 'session-created', ...base });
  if (!before && !isNew) return events;
  const { asks, ended, lastError } = after;
  if (ended !== undefined && ended.id !== before?.ended?.id) {
    events.push(
      lastError === undefined
        ? { kind: 'turn-ended', ...base }
        : { kind: 'turn-failed', ...base, errorCode: lastError.code },
    );
  }
  if (asks !== undefined && asks.requestId !== before?.asks?.requestId) {
    events.push({ kind: 'needs-you', ...base, requestId: asks.requestId });
  }
  return events;
}
