import type { SessionSummary } from '@liminal/contracts';
import { attentionKey, attentionOf, isUnseen } from './attention.ts';

/** The sections of the inbox, in order. */
export const inboxSections = ['needs-you', 'failed', 'done', 'working', 'unknown', 'pinned'] as const;
export type InboxSection = (typeof inboxSections)[number];

/** Whether a snooze still applies; `now` is an ISO time. */
export function isSnoozed(session: SessionSummary, now: string): boolean {
  const snoozed = session.marks?.snoozed;
  if (snoozed === undefined) return false;
  return snoozed.until === null ? snoozed.key === attentionKey(session) : snoozed.until > now;
}

/** The inbox section of a session; null for one that needs nothing. */
export function inboxSectionOf(session: SessionSummary, now: string): InboxSection | null {
  if (session.archived || isSnoozed(session, now)) return null;
  const attention = attentionOf(session);
  const ifPinned = session.marks?.pinned === true ? 'pinned' : null;
  switch (attention.kind) {
    case 'needs-you':
    case 'done':
    case 'working':
      return attention.kind;
    case 'failed':
      return attention.isSeen ? ifPinned : 'failed';
    case 'unknown':
      // Only those that might need the user: a machine may have hundreds of others.
      return session.asks || session.working || isUnseen(session) ? 'unknown' : ifPinned;
    case 'paused':
    case 'idle':
      return ifPinned;
  }
}

/** The sessions of the inbox by section; pinned ones first, then the newest. */
export function inboxOf(sessions: Iterable<SessionSummary>, now: string): Map<InboxSection, SessionSummary[]> {
  const found = new Map<InboxSection, SessionSummary[]>(inboxSections.map((section) => [section, []]));
  for (const session of sessions) {
    const section = inboxSectionOf(session, now);
    if (section !== null) found.get(section)?.push(session);
  }
  for (const listed of found.values()) listed.sort(byPlace);
  return found;
}

function byPlace(a: SessionSummary, b: SessionSummary): number {
  const pinned = Number(b.marks?.pinned ?? false) - Number(a.marks?.pinned ?? false);
  if (pinned !== 0) return pinned;
  const [first, second] = [sinceOf(a), sinceOf(b)];
  return first > second ? -1 : first < second ? 1 : a.sessionId < b.sessionId ? -1 : 1;
}

/** Since when the session has been in this state. */
export const sinceOf = ({ asks, working, lastError, ended, updatedAt, activity }: SessionSummary): string =>
  activity === 'waiting'
    ? (asks?.openedAt ?? updatedAt)
    : activity === 'working'
      ? (working?.since ?? updatedAt)
      : (lastError?.at ?? ended?.at ?? updatedAt);
