import type { HistoryPage, SessionMessage, PermissionNotice, PermissionRequest } from '@liminal/contracts';
import { arrange, insertItem, sortTurns } from './arrange.ts';
import { folded, type Folded, nothing } from './folded.ts';
import { keepLostText } from './keep-lost-text.ts';
import { sameItem, sameValue } from './same-value.ts';
import { type Arrangement, itemsOfTurn, type Timeline } from './timeline.ts';

export type HistoryMessage = Extract<SessionMessage, { type: 'session:history' }>;

/**
 * Replaces the whole timeline with a history. Unchanged values keep their objects, and a history that says nothing new
 * changes nothing. Within an epoch, an older history is ignored.
 */
export function foldHistory(timeline: Timeline, history: HistoryMessage): Folded {
  const { cursor } = timeline;
  const isOlder = cursor?.epoch === history.epoch && history.seq < cursor.seq;
  if (isOlder && !timeline.awaitingHistory) return nothing;
  const next = arrange(history.turns, keepLostText(timeline, history));
  const changed = {
    added: !sameArrangement(timeline, next),
    items: keepSameItems(timeline, next),
    turns: keepSameRecords(timeline, next),
    permissions: replacePermissions(timeline, history),
    ...replaceValues(timeline, history),
  };
  timeline.items = next.items;
  timeline.turns = next.turns;
  timeline.turnIds = next.turnIds;
  timeline.cursor = { epoch: history.epoch, seq: history.seq };
  timeline.awaitingHistory = false;
  // Use the server's own list of turns: it has no page for the id of notes outside any turn.
  timeline.before = history.turns[0]?.turnId ?? next.turnIds[0];
  timeline.historySeq = history.seq;
  timeline.itemSeqs.clear();
  timeline.seqs.clear();
  timeline.holes.clear();
  const reset = Object.values(changed).some((change) => (typeof change === 'boolean' ? change : change.length > 0));
  return reset ? folded({ ...changed, reset, reshaped: [...next.turnIds] }) : nothing;
}

/**
 * Adds an older page in front. Existing items stay unchanged: live messages bring anything newer. Pass the turn from
 * the request, so a page that no longer fits is ignored.
 */
export function foldOlderPage(timeline: Timeline, page: HistoryPage, askedBefore = timeline.before): Folded {
  if (askedBefore !== timeline.before) return nothing;
  const older = arrange(page.turns, page.entries);
  const fresh = older.turnIds.filter((turnId) => !timeline.turns.has(turnId));
  const known = older.turnIds.filter((turnId) => timeline.turns.has(turnId));
  prepend(timeline, older, fresh);
  const merged = known.flatMap((turnId) => mergeTurn(timeline, older, turnId));
  const hasMore = page.nextBefore !== null;
  const more = timeline.hasMore !== hasMore;
  timeline.hasMore = hasMore;
  timeline.before = page.nextBefore ?? timeline.turnIds[0];
  if (older.turnIds.length === 0 && !more) return nothing;
  const items = [...fresh.flatMap((turnId) => older.turns.get(turnId)?.itemIds ?? []), ...merged];
  return folded({ items, added: older.turnIds.length > 0, turns: older.turnIds, reshaped: older.turnIds, more });
}

/** Copies the list of turns once per page: inserting turns one by one would move the rest each time. */
function prepend(timeline: Timeline, older: Arrangement, turnIds: readonly string[]): void {
  for (const turnId of turnIds) {
    const turn = older.turns.get(turnId);
    if (turn) timeline.turns.set(turnId, turn);
    for (const item of itemsOfTurn(older, turnId)) timeline.items.set(item.itemId, item);
  }
  timeline.turnIds = [...turnIds, ...timeline.turnIds];
  sortTurns(timeline);
}

/** A turn of the page for which a late change has already arrived. */
function mergeTurn(timeline: Timeline, older: Arrangement, turnId: string): string[] {
  const turn = timeline.turns.get(turnId);
  if (turn) turn.record ??= older.turns.get(turnId)?.record;
  const lacking = itemsOfTurn(older, turnId).filter((item) => !timeline.items.has(item.itemId));
  for (const item of lacking) insertItem(timeline, item);
  return lacking.map((item) => item.itemId);
}

function sameArrangement(held: Arrangement, next: Arrangement): boolean {
  return (
    sameValue(held.turnIds, next.turnIds) &&
    next.turnIds.every((turnId) => sameValue(held.turns.get(turnId)?.itemIds, next.turns.get(turnId)?.itemIds))
  );
}

/** Reuses the existing object of each unchanged item in `next`; returns the others. */
function keepSameItems(held: Arrangement, next: Arrangement): string[] {
  const changed: string[] = [];
  for (const [itemId, item] of next.items) {
    const before = held.items.get(itemId);
    if (before && sameItem(before, item)) next.items.set(itemId, before);
    else changed.push(itemId);
  }
  return changed;
}

function keepSameRecords(held: Arrangement, next: Arrangement): string[] {
  const changed: string[] = [];
  for (const [turnId, turn] of next.turns) {
    const before = held.turns.get(turnId)?.record;
    if (sameValue(before, turn.record)) turn.record = before;
    else changed.push(turnId);
  }
  return changed;
}

function replacePermissions(timeline: Timeline, history: HistoryMessage): boolean {
  if (sameValue(timeline.permissions, history.permissions)) return false;
  const closed = closedByHistory(timeline.permissions, history.permissions);
  timeline.closedPermissions = noteClosed(timeline.closedPermissions, closed);
  timeline.permissions = history.permissions;
  return true;
}

function replaceValues(
  timeline: Timeline,
  history: HistoryMessage,
): Pick<Folded, 'queue' | 'status' | 'info' | 'more'> {
  const changed = {
    queue: !sameValue(timeline.queue, history.queue),
    status: !sameValue(timeline.status, history.status),
    info: !sameValue(timeline.info, history.info),
    more: timeline.hasMore !== history.hasMore,
  };
  if (changed.queue) timeline.queue = history.queue;
  if (changed.status) timeline.status = history.status;
  if (changed.info) timeline.info = history.info;
  timeline.hasMore = history.hasMore;
  return changed;
}

/** Enough to say what happened to a request the user was looking at; the audit log has them all. */
const kept = 20;

/** Appends newer notices and drops the oldest. */
export function noteClosed(
  closed: readonly PermissionNotice[],
  notices: readonly PermissionNotice[],
): readonly PermissionNotice[] {
  return [...closed, ...notices].slice(-kept);
}

/** A request that was open here and isn't in the history has ended meanwhile. */
export function closedByHistory(
  held: readonly PermissionRequest[],
  open: readonly PermissionRequest[],
): PermissionNotice[] {
  const stillOpen = new Set(open.map((request) => request.requestId));
  return held.filter((request) => !stillOpen.has(request.requestId)).map((request) => ({ state: 'ended', request }));
}
