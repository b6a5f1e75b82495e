import { expect, it } from 'vitest';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { at, itemRow, turnRow } from '../../store/testing/sample-rows.ts';
import { countInRound } from '../../testing/count-in-round.ts';
import { copiedTurns, turnsOf } from './copied-turns.ts';

it('copies a long session turn by turn, with other work in between', async () => {
  const store = createMemoryStore();
  const ids = Array.from({ length: 20 }, (_, index) => `t${index}`);
  await store.write([
    ...ids.map((id, position) => ({ type: 'put-turn', row: turnRow(id, { position, state: 'completed' }) }) as const),
    ...ids.map((id, order) => ({ type: 'put-item', row: itemRow(`${id}:0:0`, order) }) as const),
  ]);
  const counted = countInRound();
  const counting = {
    ...store,
    itemsOfTurn(sessionId: string, turnId: string) {
      counted.call();
      return store.itemsOfTurn(sessionId, turnId);
    },
  };
  const writes = await copiedTurns(counting, 's', 'copy', turnsOf(store, 's'), at);
  expect(writes.map(({ type }) => type)).toEqual([...ids.map(() => 'put-turn'), ...ids.map(() => 'put-item')]);
  expect(counted.stop()).toBeLessThanOrEqual(2);
});
