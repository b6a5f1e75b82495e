import type { PermissionRequest } from '@liminal/contracts';
import type { Timeline } from '@liminal/domain/timeline/timeline';

/** The progress of a session: what it works on, what it waits for, or how its last turn ended. */
export type Progress =
  | { readonly state: 'working' }
  | { readonly state: 'waiting'; readonly requests: readonly PermissionRequest[] }
  | { readonly state: 'done' | 'stopped' | 'failed'; readonly turnId?: string; readonly message?: string };

/** The progress of a session, or of one turn in it. An open permission request counts in both cases. */
export function progressOf(timeline: Readonly<Timeline>, turnId?: string): Progress {
  const { permissions, queue, status } = timeline;
  const newest = turnId ?? timeline.turnIds.findLast((id) => timeline.turns.get(id)?.record !== undefined);
  const record = newest === undefined ? undefined : timeline.turns.get(newest)?.record;
  const ended = turnId !== undefined && record?.ended !== undefined;
  if (permissions.length > 0 && !ended) return { state: 'waiting', requests: permissions };
  const waits = queue.some((message) =>
    turnId === undefined ? (message.state ?? 'waiting') === 'waiting' : message.turnId === turnId,
  );
  const runs = record?.state === 'running' && record.ended === undefined;
  if ((waits || runs) && isDead(timeline)) return failed(timeline, newest);
  const stuck = queue.find((message) => message.turnId === turnId)?.state;
  if (turnId !== undefined && (stuck === 'held' || stuck === 'unknown'))
    return { state: 'failed', turnId, message: stuckSentences[stuck] };
  if (waits || runs) return { state: 'working' };
  if (turnId === undefined && status?.activity === 'working') return { state: 'working' };
  const known = newest === undefined ? {} : { turnId: newest };
  if (record === undefined) {
    if (isDead(timeline)) return failed(timeline, newest);
    // A message that is neither queued nor running was removed from the queue.
    return turnId === undefined ? { state: 'done' } : { state: 'stopped', ...known };
  }
  if (record.ended?.type === 'turn_error') return { state: 'failed', ...known, message: record.ended.errorMessage };
  return { state: record.state === 'cancelled' ? 'stopped' : record.state === 'failed' ? 'failed' : 'done', ...known };
}

/** Messages that stay in the queue until a user decides about them. */
const stuckSentences = {
  held: 'The message is held. It sends with your next message to the session.',
  unknown: 'The message may not have been delivered. Retry or discard it in the page.',
};

const isDead = ({ status }: Readonly<Timeline>): boolean => status?.state === 'dead';

function failed({ status }: Readonly<Timeline>, turnId: string | undefined): Progress {
  const message = status?.lastError?.message ?? 'The session was ended.';
  return { state: 'failed', message, ...(turnId === undefined ? {} : { turnId }) };
}
