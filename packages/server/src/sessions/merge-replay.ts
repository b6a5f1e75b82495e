import type { TurnRecord } from '@liminal/contracts';
import type { ReplayedHistory } from '../providers/provider.ts';
import type { StoreWrite, TurnRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

type Entries = ReplayedHistory['entries'];

/**
 * What an agent's own record adds to ours. Turns that ran here win and are never touched. A replayed turn is ours when
 * its id, or the agent's id of one of its items, is known here; where a record has neither (a cancelled turn, an agent
 * without ids), when the person's words are those of our next turn. The others come in whole, in the record's order.
 */
export function mergeReplay(store: Store, sessionId: string, replay: ReplayedHistory): StoreWrite[] {
  const writes: StoreWrite[] = [];
  const entriesByTurn = Map.groupBy(replay.entries, ({ upsert }) => upsert.turnId);
  const findOurs = createMatcher(store, sessionId);
  let { order, position } = store.nextPlaces(sessionId);
  for (const turn of replay.turns) {
    const entries = entriesByTurn.get(turn.turnId) ?? [];
    if (findOurs(turn.turnId, entries)) continue;
    writes.push({ type: 'put-turn', row: foreignTurn(sessionId, turn, position++) });
    for (const { upsert, sourceId = null } of entries) {
      const { itemId, turnId } = upsert;
      const body = { ...upsert, sessionId, order };
      writes.push({ type: 'put-item', row: { sessionId, itemId, turnId, order: order++, sourceId, body } });
    }
  }
  return writes;
}

/** Goes through our turns in step with the record, so that the same words said twice are two turns. */
function createMatcher(store: Store, sessionId: string) {
  const ours = store.turnsBefore(sessionId, null, Number.MAX_SAFE_INTEGER).toReversed();
  let next = 0;
  const passed = (turnId: string): boolean => {
    const index = ours.findIndex((row) => row.turnId === turnId);
    if (index >= next) next = index + 1;
    return index >= 0;
  };
  return (turnId: string, entries: Entries): boolean => {
    if (passed(turnId)) return true;
    for (const { sourceId } of entries) {
      const item = sourceId === undefined ? undefined : store.itemBySource(sessionId, sourceId);
      if (item) return passed(item.turnId);
    }
    const words = personsWords(entries);
    const index = words === '' ? -1 : ours.findIndex((row, at) => at >= next && row.content.trim() === words);
    if (index < 0) return false;
    next = index + 1;
    return true;
  };
}

function personsWords(entries: Entries): string {
  const own = entries.map(({ upsert }) => (upsert.type === 'message' && upsert.origin === 'user' ? upsert.content : ''));
  return own.join('\n').trim();
}

function foreignTurn(sessionId: string, turn: TurnRecord, position: number): TurnRow {
  return {
    sessionId,
    turnId: turn.turnId,
    // A record tells only of what is over.
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
