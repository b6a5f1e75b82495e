import { setImmediate as nextRound } from 'node:timers/promises';
import type { StoreWrite, TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

/** Turns of a session's history, oldest first. */
export const turnsOf = (store: Store, sessionId: string): readonly TurnRow[] =>
  store.turnsBefore(sessionId, null, Number.MAX_SAFE_INTEGER).toReversed();

/** The turn id of items before the first turn. */
const outsideTurns = 'session';

/** Copies turns with their items and outputs into another session's history, under the same ids. Other work runs between turns. */
export async function copiedTurns(
  store: Store,
  from: string,
  to: string,
  turns: readonly TurnRow[],
  at: string,
): Promise<StoreWrite[]> {
  const writes: StoreWrite[] = turns.map((turn) => ({
    type: 'put-turn',
    row: {
      ...turn,
      sessionId: to,
      clientMessageId: null,
      started: turn.started && { ...turn.started, sessionId: to },
      ended: turn.ended && { ...turn.ended, sessionId: to },
    },
  }));
  for (const turnId of [outsideTurns, ...turns.map((turn) => turn.turnId)]) {
    await nextRound();
    for (const item of store.itemsOfTurn(from, turnId)) {
      const row = { ...item, sessionId: to, change: null, body: { ...item.body, sessionId: to } };
      writes.push({ type: 'put-item', row });
      const output = store.output(from, item.itemId);
      if (output !== undefined)
        writes.push({ type: 'put-output', sessionId: to, itemId: item.itemId, output, writtenAt: at });
    }
  }
  return writes;
}
