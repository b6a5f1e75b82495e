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

/** One turn of a timeline. Items may arrive before the turn's own events; `record` is undefined until then. */
export type TimelineTurn = {
  readonly turnId: string;
  record: TurnRecord | undefined;
  /** Sorted by the items' `order`; those without one come last, by arrival. */
  itemIds: string[];
  /** The lowest `order` of its items; while it has none, the rank of the previous turn. */
  rank: number;
  ranked: boolean;
};

/** Sorted items and turns: turns by rank, items by `order` within their turn. */
export type Arrangement = {
  items: Map<string, UpsertObject>;
  turns: Map<string, TimelineTurn>;
  turnIds: string[];
};

/**
 * What a browser holds about one session. Only `fold` and `foldOlderPage` change it, in place: copying the containers
 * would make each token as expensive as the whole timeline. Values inside (an item, a record, a list of permissions)
 * are replaced, never mutated, so a row can check by identity whether it has to redraw.
 */
export type Timeline = Arrangement & {
  /** Where to resume; undefined until the first history. */
  cursor: Cursor | undefined;
  /** The server sent `gap`: the timeline may be shown, but nothing is added to it until a history comes. */
  awaitingHistory: boolean;
  /** Only open ones, oldest first. */
  permissions: readonly PermissionRequest[];
  /** The last few that were answered or ended, so a view can say so. */
  closedPermissions: readonly PermissionNotice[];
  queue: readonly QueuedMessage[];
  status: SessionStatus | undefined;
  info: SessionInfo;
  /** As the server last sent them; undefined before that. A history doesn't include them: they are requested. */
  comments: readonly ReviewComment[] | undefined;
  /** When the folder last changed, and how closely the server watches it; undefined until the server says so. */
  changes: FolderChanged | undefined;
  /** Whether the server has older turns than these. */
  hasMore: boolean;
  /** The turn to pass when requesting the previous page. */
  before: string | undefined;
  /** The number of the last history, which includes everything up to it. */
  historySeq: number;
  /** For each item, the number of the last message since that history. Separate from `seqs` to save a key per token. */
  itemSeqs: Map<string, number>;
  /** The same for everything that isn't an item. */
  seqs: Map<string, number>;
  /** Items whose text has a gap, with the number of the last append that couldn't be applied. */
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

/** All items, in order. */
export function* itemsInOrder(timeline: Arrangement): Generator<UpsertObject> {
  for (const turnId of timeline.turnIds) yield* itemsOfTurn(timeline, turnId);
}
