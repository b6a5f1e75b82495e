import type { TurnRecord, UpsertObject } from '@liminal/contracts';
import type { Arrangement, TimelineTurn } from './timeline.ts';

/** Arranges a whole history or page at once, in roughly linear time. */
export function arrange(records: readonly TurnRecord[], entries: readonly UpsertObject[]): Arrangement {
  const arrangement: Arrangement = { items: new Map(), turns: new Map(), turnIds: [] };
  for (const record of records) addTurn(arrangement, record.turnId).record = record;
  for (const item of entries) {
    if (arrangement.items.has(item.itemId)) continue;
    const turn = addTurn(arrangement, item.turnId);
    if (item.order !== undefined) lowerRank(turn, item.order);
    arrangement.items.set(item.itemId, item);
    insertId(arrangement, turn.itemIds, item);
  }
  rankTheRest([...arrangement.turns.values()]);
  arrangement.turnIds = [...arrangement.turns.keys()];
  sortTurns(arrangement);
  return arrangement;
}

/** Inserts a new item in order. It usually belongs at the end, which is checked first. */
export function insertItem(arrangement: Arrangement, item: UpsertObject): void {
  const turn = placeTurn(arrangement, item.turnId, item.order);
  arrangement.items.set(item.itemId, item);
  insertId(arrangement, turn.itemIds, item);
}

export function removeItem(arrangement: Arrangement, item: UpsertObject): void {
  arrangement.items.delete(item.itemId);
  const turn = arrangement.turns.get(item.turnId);
  if (turn) turn.itemIds = turn.itemIds.filter((itemId) => itemId !== item.itemId);
}

/** Returns the turn. Inserts it if it is new, or moves it forward if `order` requires it. */
export function placeTurn(arrangement: Arrangement, turnId: string, order?: number): TimelineTurn {
  const known = arrangement.turns.get(turnId);
  if (known && (order === undefined || (known.ranked && known.rank <= order))) return known;
  const turn = known ?? addTurn(arrangement, turnId);
  // Searches from the end: the turn is usually the last one.
  if (known) arrangement.turnIds.splice(arrangement.turnIds.lastIndexOf(turnId), 1);
  if (order === undefined) turn.rank = rankAt(arrangement, arrangement.turnIds.length - 1);
  else lowerRank(turn, order);
  const place = upperBound(arrangement.turnIds.length, (index) => rankAt(arrangement, index), turn.rank);
  arrangement.turnIds.splice(place, 0, turnId);
  return turn;
}

/** Restores the order of turns after many were added at once. */
export function sortTurns(arrangement: Arrangement): void {
  const rankOf = (turnId: string): number => arrangement.turns.get(turnId)?.rank ?? 0;
  arrangement.turnIds.sort((a, b) => rankOf(a) - rankOf(b));
}

function addTurn(arrangement: Arrangement, turnId: string): TimelineTurn {
  const known = arrangement.turns.get(turnId);
  if (known) return known;
  const turn: TimelineTurn = { turnId, record: undefined, itemIds: [], rank: 0, ranked: false };
  arrangement.turns.set(turnId, turn);
  return turn;
}

function lowerRank(turn: TimelineTurn, order: number): void {
  turn.rank = turn.ranked ? Math.min(turn.rank, order) : order;
  turn.ranked = true;
}

/** A turn without ordered items stays after the turn it followed. */
function rankTheRest(turns: readonly TimelineTurn[]): void {
  let rank = turns.find((turn) => turn.ranked)?.rank ?? 0;
  for (const turn of turns) {
    if (!turn.ranked) turn.rank = rank;
    rank = turn.rank;
  }
}

function rankAt(arrangement: Arrangement, index: number): number {
  return arrangement.turns.get(arrangement.turnIds[index] ?? '')?.rank ?? 0;
}

function insertId(arrangement: Arrangement, itemIds: string[], item: UpsertObject): void {
  const orderAt = (index: number): number => arrangement.items.get(itemIds[index] ?? '')?.order ?? Infinity;
  itemIds.splice(upperBound(itemIds.length, orderAt, item.order ?? Infinity), 0, item.itemId);
}

/** The first index with a greater value; checks the end first, where nearly everything new belongs. */
function upperBound(length: number, valueAt: (index: number) => number, value: number): number {
  if (length === 0 || valueAt(length - 1) <= value) return length;
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
