import type {
  AppendPayload,
  PermissionNotice,
  PermissionRequest,
  SessionMessage,
  TurnEvent,
  TurnRecord,
  TurnState,
  UpsertObject,
} from '@liminal/contracts';
import { keyOf } from '../delivery/change.ts';
import { appendText } from './append-text.ts';
import { insertItem, placeTurn, removeItem } from './arrange.ts';
import { foldHistory, noteClosed } from './fold-history.ts';
import { folded, type Folded, nothing } from './folded.ts';
import { reshapes } from './rows-of-turn.ts';
import { sameItem, sameValue } from './same-value.ts';
import type { Timeline } from './timeline.ts';

/**
 * Folds a message from the server into the timeline, in place, and returns what changed. A repeated message, an older
 * state, or a message of another epoch changes nothing.
 */
export function fold(timeline: Timeline, message: SessionMessage): Folded {
  if (message.type === 'session:history') return foldHistory(timeline, message);
  if (message.type === 'session:resumed') return foldResumed(timeline, message.verdict);
  if (timeline.awaitingHistory || message.epoch !== timeline.cursor?.epoch) return nothing;
  if (message.type === 'session:upsert') return foldUpsert(timeline, message.payload, message.seq);
  if (message.type === 'session:append') return foldAppend(timeline, message.payload, message.seq);
  return isNews(timeline, timeline.seqs, keyOf(message), message.seq) ? foldValue(timeline, message) : nothing;
}

type ValueMessage = Exclude<
  SessionMessage,
  { type: 'session:history' | 'session:resumed' | 'session:upsert' | 'session:append' }
>;

function foldValue(timeline: Timeline, message: ValueMessage): Folded {
  switch (message.type) {
    case 'session:turn':
      return foldTurn(timeline, message.payload);
    case 'session:permission':
      return foldPermission(timeline, message.payload);
    case 'session:status':
      if (sameValue(timeline.status, message.payload)) return nothing;
      timeline.status = message.payload;
      return folded({ status: true });
    case 'session:queue':
      if (sameValue(timeline.queue, message.payload.queue)) return nothing;
      timeline.queue = message.payload.queue;
      return folded({ queue: true });
    case 'session:comments':
      timeline.comments = message.payload.comments;
      return folded({ comments: true });
    case 'session:changes':
      timeline.changes = message.payload;
      return folded({ changes: true });
    case 'session:info':
      if (sameValue(timeline.info, message.payload)) return nothing;
      timeline.info = message.payload;
      return folded({ info: true });
  }
}

/** Whether this number is higher than any seen for the key; if so, records it. */
function isNews(timeline: Timeline, seqs: Map<string, number>, key: string, seq: number): boolean {
  if (seq <= (seqs.get(key) ?? timeline.historySeq)) return false;
  seqs.set(key, seq);
  if (timeline.cursor && seq > timeline.cursor.seq) timeline.cursor = { ...timeline.cursor, seq };
  return true;
}

function foldResumed(timeline: Timeline, verdict: 'ok' | 'gap'): Folded {
  if (verdict === 'gap') {
    timeline.awaitingHistory = true;
    return nothing;
  }
  // Requests on the old socket may never be answered, so gaps are requested again.
  return timeline.holes.size > 0 ? folded({ missing: [...timeline.holes.keys()] }) : nothing;
}

function foldUpsert(timeline: Timeline, item: UpsertObject, seq: number): Folded {
  const { itemId, turnId } = item;
  // The answer to a gap may carry the number of the append that couldn't be applied.
  const fillsHole = seq >= (timeline.holes.get(itemId) ?? Infinity);
  if (!isNews(timeline, timeline.itemSeqs, itemId, seq) && !fillsHole) return nothing;
  timeline.holes.delete(itemId);
  const before = timeline.items.get(itemId);
  if (before && sameItem(before, item)) return nothing;
  if (before && before.order === item.order && before.turnId === turnId) {
    timeline.items.set(itemId, item);
    return folded({ items: [itemId], reshaped: reshapes(before, item) ? [turnId] : [] });
  }
  if (before) removeItem(timeline, before);
  insertItem(timeline, item);
  return folded({ items: [itemId], added: true, reshaped: [...new Set([before?.turnId ?? turnId, turnId])] });
}

function foldAppend(timeline: Timeline, append: AppendPayload, seq: number): Folded {
  const { itemId } = append;
  if (!isNews(timeline, timeline.itemSeqs, itemId, seq)) return nothing;
  const asked = timeline.holes.has(itemId);
  const before = timeline.items.get(itemId);
  const item = before && !asked ? appendText(before, append) : undefined;
  if (!before || !item) {
    timeline.holes.set(itemId, seq);
    return asked ? nothing : folded({ missing: [itemId] });
  }
  if (item === before) return nothing;
  timeline.items.set(itemId, item);
  return folded({ items: [itemId], reshaped: reshapes(before, item) ? [item.turnId] : [] });
}

function foldTurn(timeline: Timeline, event: TurnEvent): Folded {
  const { turnId } = event;
  const known = timeline.turns.has(turnId);
  const turn = placeTurn(timeline, turnId);
  const record = withEvent(turn.record ?? { turnId, state: 'running' }, event);
  if (sameValue(turn.record, record)) return nothing;
  turn.record = record;
  return folded({ turns: [turnId], reshaped: [turnId], added: !known });
}

function withEvent(record: TurnRecord, event: TurnEvent): TurnRecord {
  if (event.type === 'turn_started') return { ...record, started: event };
  const state: TurnState = event.type === 'turn_error' ? 'failed' : event.status;
  return { ...record, state, ended: event };
}

function foldPermission(timeline: Timeline, notice: PermissionNotice): Folded {
  const { requestId } = notice.request;
  const closedBefore = timeline.closedPermissions.filter((closed) => closed.request.requestId !== requestId);
  const isOpen = notice.state === 'open';
  const permissions = isOpen
    ? withOpen(timeline.permissions, notice.request)
    : timeline.permissions.filter((open) => open.requestId !== requestId);
  const closed = isOpen ? closedBefore : noteClosed(closedBefore, [notice]);
  if (sameValue(permissions, timeline.permissions) && sameValue(closed, timeline.closedPermissions)) return nothing;
  timeline.permissions = permissions;
  timeline.closedPermissions = closed;
  return folded({ permissions: true });
}

function withOpen(permissions: readonly PermissionRequest[], request: PermissionRequest): readonly PermissionRequest[] {
  const known = permissions.some((open) => open.requestId === request.requestId);
  if (!known) return [...permissions, request];
  return permissions.map((open) => (open.requestId === request.requestId ? request : open));
}
