import type { HistoryPage, TurnRecord, TurnState, UpsertObject } from '@liminal/contracts';
import type { TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

/** Turn rows that may not be on disk yet. */
export type UnwrittenTurns = { unwritten(): readonly TurnRow[] };

/** Newest states that may not be on disk yet. */
export type UnwrittenItems = {
  /** The newest state of an item, if memory holds it. */
  newest(itemId: string): UpsertObject | undefined;
  /** Items of a turn that memory holds, in order. */
  ofTurn(turnId: string): readonly UpsertObject[];
};

export type PageRequest = {
  readonly sessionId: string;
  /** Turns before this position; null for the newest. */
  readonly before: number | null;
  readonly maxTurns: number;
  readonly maxBytes: number;
};

/** The turn id of items outside any turn; they come before the first turn. */
const outsideTurns = 'session';

/** One page of complete turns, oldest first: the newest ones that fit, at least one. */
export function readHistoryPage(
  store: Store,
  live: UnwrittenItems & { readonly turns: UnwrittenTurns },
  request: PageRequest,
): HistoryPage {
  const { sessionId, before, maxTurns, maxBytes } = request;
  const rows = withUnwritten(store.turnsBefore(sessionId, before, maxTurns + 1), live.turns, before);
  const pages: { row: TurnRow; entries: UpsertObject[] }[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, maxTurns)) {
    const entries = entriesOf(store, live, sessionId, row.turnId);
    bytes += entries.reduce((sum, entry) => sum + roughBytes(entry), 0);
    if (bytes > maxBytes && pages.length > 0) break;
    pages.push({ row, entries });
  }
  const isWhole = pages.length === rows.length;
  pages.reverse();
  const entries = pages.flatMap((page) => page.entries);
  if (isWhole) entries.unshift(...entriesOf(store, live, sessionId, outsideTurns));
  return {
    entries,
    turns: pages.map(({ row }) => turnRecord(row)),
    nextBefore: isWhole ? null : (pages[0]?.row.turnId ?? null),
  };
}

function withUnwritten(stored: readonly TurnRow[], live: UnwrittenTurns, before: number | null): readonly TurnRow[] {
  const unwritten = live.unwritten().filter((row) => row.position !== null && row.position < (before ?? Infinity));
  if (unwritten.length === 0) return stored;
  const rows = new Map(stored.map((row) => [row.turnId, row]));
  const oldest = stored.at(-1)?.position ?? -1;
  for (const row of unwritten) if (rows.has(row.turnId) || (row.position ?? 0) >= oldest) rows.set(row.turnId, row);
  return [...rows.values()].toSorted((a, b) => (b.position ?? 0) - (a.position ?? 0));
}

function entriesOf(store: Store, live: UnwrittenItems, sessionId: string, turnId: string): UpsertObject[] {
  const stored = store.itemsOfTurn(sessionId, turnId);
  const known = new Set(stored.map((row) => row.itemId));
  const entries = stored.map((row) => live.newest(row.itemId) ?? { ...row.body, order: row.order });
  const unwritten = live.ofTurn(turnId).filter((item) => !known.has(item.itemId));
  return unwritten.length === 0
    ? entries
    : [...entries, ...unwritten].toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

function roughBytes(entry: UpsertObject): number {
  const overhead = 300;
  switch (entry.type) {
    case 'message':
    case 'thinking':
      return overhead + entry.content.length;
    case 'tool_call':
      return overhead + (entry.toolOutput?.length ?? 0) + JSON.stringify([entry.toolArguments, entry.diffs]).length;
    case 'plan':
      return overhead + JSON.stringify(entry.entries).length;
  }
}

function turnRecord(row: TurnRow): TurnRecord {
  return {
    turnId: row.turnId,
    state: turnState(row),
    ...(row.started ? { started: row.started } : {}),
    ...(row.ended ? { ended: row.ended } : {}),
    ...(row.startedAt ? { startedAt: row.startedAt } : {}),
    ...(row.endedAt ? { endedAt: row.endedAt } : {}),
  };
}

function turnState(row: TurnRow): TurnState {
  return row.state === 'completed' || row.state === 'cancelled' || row.state === 'failed' ? row.state : 'running';
}
