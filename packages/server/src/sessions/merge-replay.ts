import type { TurnRecord } from '@liminal/contracts';
import type { ReplayedHistory } from '../providers/provider.ts';
import type { StoreWrite, TurnRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/**
 * What an agent's own record adds to ours. Turns that ran here win and are never touched: a replayed turn is ours when
 * its id, or the agent's id of any of its items, is known here. The others come in whole, in the record's order.
 */
export function mergeReplay(store: Store, sessionId: string, replay: ReplayedHistory): StoreWrite[] {
  const writes: StoreWrite[] = [];
  let { order, position } = store.nextPlaces(sessionId);
  for (const turn of replay.turns) {
    const entries = replay.entries.filter(({ upsert }) => upsert.turnId === turn.turnId);
    const isOurs =
      store.turn(sessionId, turn.turnId) !== undefined ||
      entries.some(({ sourceId }) => sourceId !== undefined && store.itemBySource(sessionId, sourceId) !== undefined);
    if (isOurs) continue;
    writes.push({ type: 'put-turn', row: foreignTurn(sessionId, turn, position++) });
    for (const { upsert, sourceId } of entries) {
      const body = { ...upsert, sessionId, order };
      const { itemId, turnId } = upsert;
      writes.push({ type: 'put-item', row: { sessionId, itemId, turnId, order: order++, sourceId: sourceId ?? null, body } });
    }
  }
  return writes;
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
