import type {
  FolderChanged,
  Cursor,
  PermissionNotice,
  PermissionRequest,
  QueuedMessage,
  ReviewComment,
  SessionInfo,
  SessionStatus,
  TurnRecord,
  UpsertObject,
} from '@liminal/contracts';

/** One turn as a timeline holds it. Items may come before the turn's own events; `record` is then still undefined. */
export type TimelineTurn = {
  readonly turnId: string;
  record: TurnRecord | undefined;
  /** By the items' `order`; those without one come last, by arrival. */
  itemIds: string[];
  /** The lowest `order` of its items, or while it has none, the rank of the turn before it. */
  rank: number;
  ranked: boolean;
};

/** Items and turns, each in its place: turns by rank, items by `order` within their turn. */
export type Arrangement = {
  items: Map<string, UpsertObject>;
  turns: Map<string, TimelineTurn>;
  turnIds: string[];
};

/**
 * What a browser holds of one session. Only `fold` and `foldOlderPage` change it, and they change it in place: copying
 * the containers would make each token cost as much as everything held. What they contain (an item, a record, a
 * list of permissions) is replaced, never changed, so a row can tell by identity whether it has to draw itself.
 */
export type Timeline = Arrangement & {
  /** Where to resume; undefined until the first history. */
  cursor: Cursor | undefined;
  /** The server said `gap`: what is here may be shown, but nothing is added to it until a history comes. */
  awaitingHistory: boolean;
  /** Those still open, oldest first. */
  permissions: readonly PermissionRequest[];
  /** The last few that were answered or ended, so a view can say so. */
  closedPermissions: readonly PermissionNotice[];
  queue: readonly QueuedMessage[];
  status: SessionStatus | undefined;
  info: SessionInfo;
  /** As the server last said; undefined until it did: a history has none, they are asked for. */
  comments: readonly ReviewComment[] | undefined;
  /** When the folder last changed, and how closely the server looks; undefined until it said so. */
  changes: FolderChanged | undefined;
  /** Whether the server has older turns than these. */
  hasMore: boolean;
  /** The turn to name when asking for the page before these. */
  before: string | undefined;
  /** The number of the last history; everything up to it is in here. */
  historySeq: number;
  /** By item, the number of the last message folded since that history; apart from the others to spare a key per token. */
  itemSeqs: Map<string, number>;
  /** The same by key for everything that is not an item. */
  seqs: Map<string, number>;
  /** Items whose text has a hole, with the number of the last append that could not be used. */
  holes: Map<string, number>;
};

export function createTimeline(): Timeline {
  return {
    items: new Map(),
    turns: new Map(),
    turnIds: [],
    cursor: undefined,
    awaitingHistory: false,
    permissions: [],
    closedPermissions: [],
    queue: [],
    status: undefined,
    info: {},
    comments: undefined,
    changes: undefined,
    hasMore: false,
    before: undefined,
    historySeq: -1,
    itemSeqs: new Map(),
    seqs: new Map(),
    holes: new Map(),
  };
}

/** The items of one turn, in order. */
export function itemsOfTurn(timeline: Arrangement, turnId: string): UpsertObject[] {
  const ids = timeline.turns.get(turnId)?.itemIds ?? [];
  return ids.flatMap((itemId) => timeline.items.get(itemId) ?? []);
}

/** Every item held, in order. */
export function* itemsInOrder(timeline: Arrangement): Generator<UpsertObject> {
  for (const turnId of timeline.turnIds) yield* itemsOfTurn(timeline, turnId);
}
