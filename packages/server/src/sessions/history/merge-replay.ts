import type { TurnRecord, UpsertObject } from '@liminal/contracts';
import { shortenOutput } from '@liminal/domain/session/shorten-output';
import type { ReplayedHistory } from '../../providers/provider.ts';
import type { ItemRow, StoreWrite, TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

type Entries = ReplayedHistory['entries'];

/** The position of a record's first turn when we have none: far enough from 0 to leave room for older ones. */
const middle = 1_000_000;

/**
 * What an agent's own record adds to ours. Turns that ran here win and are never changed. A replayed turn is ours if we
 * know its id, or the agent's id of one of its items. If the record has neither (a cancelled turn, an agent without
 * ids), it is ours if the user's text matches our next turns. All other turns are added in full, in the record's order:
 * turns older than all of ours before them, the rest after.
 */
export function mergeReplay(store: Store, sessionId: string, replay: ReplayedHistory, at: string): StoreWrite[] {
  const entriesByTurn = Map.groupBy(replay.entries, ({ upsert }) => upsert.turnId);
  const itemOf = itemFinder(store, sessionId, replay.entries);
  const findOurs = createMatcher(store, sessionId, itemOf);
  const replayed = replay.turns.flatMap((turn) => {
    const entries = entriesByTurn.get(turn.turnId) ?? [];
    // The record was read before the agent cut it.
    if (wasRewound(store, sessionId, turn.turnId, entries, itemOf(entries))) return [];
    return [{ turn, entries, isOurs: findOurs(turn.turnId, entries) !== null }];
  });
  const firstOurs = replayed.findIndex(({ isOurs }) => isOurs);
  const older = replayed.slice(0, Math.max(0, firstOurs));
  const newer = replayed.slice(Math.max(0, firstOurs)).filter(({ isOurs }) => !isOurs);
  return [
    ...placed(sessionId, older, placesBefore(store, sessionId, older), at),
    ...placed(sessionId, newer, placesBehind(store, sessionId), at),
  ];
}

/** Maps each of our turns to the matching turn in the agent's record, if it has one. */
export function matchTurns(store: Store, sessionId: string, replay: ReplayedHistory): Map<string, string> {
  const entriesByTurn = Map.groupBy(replay.entries, ({ upsert }) => upsert.turnId);
  const findOurs = createMatcher(store, sessionId, itemFinder(store, sessionId, replay.entries));
  const matches = new Map<string, string>();
  for (const { turnId } of replay.turns)
    for (const own of findOurs(turnId, entriesByTurn.get(turnId) ?? []) ?? []) matches.set(own, turnId);
  return matches;
}

type Replayed = { readonly turn: TurnRecord; readonly entries: Entries };
type Places = { readonly order: number; readonly position: number };

/** Places for turns that come after all of ours. */
export function placesBehind(store: Store, sessionId: string): Places {
  return store.firstPlaces(sessionId) ? store.nextPlaces(sessionId) : { order: middle, position: middle };
}

function placesBefore(store: Store, sessionId: string, replayed: readonly Replayed[]): Places {
  const first = store.firstPlaces(sessionId) ?? { order: middle, position: middle };
  const items = replayed.reduce((sum, { entries }) => sum + entries.length, 0);
  return { order: first.order - items, position: first.position - replayed.length };
}

function placed(
  sessionId: string,
  replayed: readonly Replayed[],
  { order, position }: Places,
  at: string,
): StoreWrite[] {
  const writes: StoreWrite[] = [];
  for (const { turn, entries } of replayed) {
    writes.push({ type: 'put-turn', row: foreignTurn(sessionId, turn, position++) });
    for (const { upsert, sourceId = null } of entries) {
      const { itemId, turnId } = upsert;
      const { shown, output } = shortened({ ...upsert, sessionId, order });
      if (output !== undefined) writes.push({ type: 'put-output', sessionId, itemId, output, writtenAt: at });
      writes.push({
        type: 'put-item',
        row: { sessionId, itemId, turnId, order: order++, sourceId, change: null, body: shown },
      });
    }
  }
  return writes;
}

/** A long output is kept beside its item, as for a live call; a history holds only its start and end. */
function shortened(upsert: UpsertObject): { readonly shown: UpsertObject; readonly output?: string } {
  if (upsert.type !== 'tool_call' || upsert.toolOutput === undefined) return { shown: upsert };
  const { output, wholeLength } = shortenOutput(upsert.toolOutput);
  if (wholeLength === undefined) return { shown: upsert };
  return { shown: { ...upsert, toolOutput: output, toolOutputLength: wholeLength }, output: upsert.toolOutput };
}

/** Walks our turns in step with the record, so the same text sent twice is two turns; null for no match. */
function createMatcher(store: Store, sessionId: string, itemOf: ItemFinder) {
  const ours = store.turnsBefore(sessionId, null, Number.MAX_SAFE_INTEGER).toReversed();
  let next = 0;
  const passed = (turnId: string): readonly string[] | null => {
    const index = ours.findIndex((row) => row.turnId === turnId);
    if (index >= next) next = index + 1;
    return index >= 0 ? [turnId] : null;
  };
  return (turnId: string, entries: Entries): readonly string[] | null => {
    const own = passed(turnId);
    if (own !== null) return own;
    const item = itemOf(entries);
    if (item) return passed(item.turnId);
    const found = placeOfText(ours, next, personText(entries));
    if (found === undefined) return null;
    next = found.end;
    return ours.slice(found.start, found.end).map((row) => row.turnId);
  };
}

/** Finds an item of ours by the agent's ids. */
type ItemFinder = (entries: Entries) => ItemRow | undefined;

function itemFinder(store: Store, sessionId: string, all: Entries): ItemFinder {
  const ambiguous = idsOfSeveralTurns(all);
  return (entries) => {
    for (const { sourceId } of entries) {
      if (sourceId === undefined || ambiguous.has(sourceId)) continue;
      const item = store.itemBySource(sessionId, sourceId);
      if (item) return item;
    }
    return undefined;
  };
}

function wasRewound(
  store: Store,
  sessionId: string,
  turnId: string,
  entries: Entries,
  item: ItemRow | undefined,
): boolean {
  if (store.turn(sessionId, turnId)?.state === 'rewound') return true;
  const turn = item && store.turn(sessionId, item.turnId);
  // An agent that reuses call ids may use one of a rewound turn again.
  return turn?.state === 'rewound' && (turn.content === '' || turn.content.trim() === personText(entries));
}

/** Some agents reuse call ids in every turn: such an id can't identify a turn. */
function idsOfSeveralTurns(entries: Entries): ReadonlySet<string> {
  const turns = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { sourceId, upsert } of entries) {
    if (sourceId === undefined) continue;
    if ((turns.get(sourceId) ?? upsert.turnId) !== upsert.turnId) ambiguous.add(sourceId);
    turns.set(sourceId, upsert.turnId);
  }
  return ambiguous;
}

/** Finds the turns in which the user sent this text: one, or several that an agent without ids replays as one. */
function placeOfText(
  ours: readonly TurnRow[],
  from: number,
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  if (text === '') return undefined;
  for (let start = from; start < ours.length; start += 1) {
    let said = '';
    for (let at = start; at < ours.length; at += 1) {
      said = `${said}\n${ours[at]?.content.trim() ?? ''}`.trim();
      if (said === text) return { start, end: at + 1 };
      if (!text.startsWith(said)) break;
    }
  }
  return undefined;
}

function personText(entries: Entries): string {
  const own = entries.map(({ upsert }) =>
    upsert.type === 'message' && upsert.origin === 'user' ? upsert.content : '',
  );
  return own.join('\n').trim();
}

function foreignTurn(sessionId: string, turn: TurnRecord, position: number): TurnRow {
  return {
    sessionId,
    turnId: turn.turnId,
    // A record holds only finished turns.
    state: turn.state === 'running' ? 'completed' : turn.state,
    position,
    content: '',
    images: [],
    createdAt: turn.startedAt ?? '1970-01-01T00:00:00.000Z',
    clientMessageId: null,
    started: turn.started ?? null,
    startedAt: turn.startedAt ?? null,
    ended: turn.ended ?? null,
    endedAt: turn.endedAt ?? null,
  };
}
