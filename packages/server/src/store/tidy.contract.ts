import type { PermissionDecision } from '@liminal/contracts';
import { searchWords } from '@liminal/domain/search/find-words';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreWrite } from './rows.ts';
import { itemRow, sessionRow, turnRow } from './testing/sample-rows.ts';
import type { Store } from './store.ts';

const [old, limit, recent] = ['2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', '2026-04-01T00:00:00.001Z'];

export const outputWrite = (itemId: string, writtenAt: string, output = `whole output of ${itemId}`): StoreWrite => ({
  type: 'put-output',
  sessionId: 's',
  itemId,
  output,
  writtenAt,
});
const decisionOf = (requestId: string, at: string): PermissionDecision => ({
  sessionId: 's',
  requestId,
  turnId: 't',
  title: 'Run a command',
  outcome: 'answered',
  by: 'person',
  at,
});

/** What every store removes when it is tidied, and what it keeps. */
export function tidyContract(name: string, open: () => Promise<Store>) {
  describe(`tidying the store: ${name}`, () => {
    let store: Store;
    const outputs = () => ['t:1:0', 't:2:0', 't:3:0'].map((itemId) => store.output('s', itemId) !== undefined);
    const decisions = () => store.decisions('s').map(({ requestId }) => requestId);
    beforeEach(async () => {
      store = await open();
      await store.write([
        { type: 'put-session', row: sessionRow('s') },
        { type: 'put-turn', row: turnRow('t', { position: 0, state: 'completed' }) },
        ...[1, 2, 3].map((order): StoreWrite => ({
          type: 'put-item',
          row: itemRow(`t:${order}:0`, order, `shortened ${order}`),
        })),
        outputWrite('t:1:0', old),
        outputWrite('t:2:0', limit),
        outputWrite('t:3:0', recent),
        ...[decisionOf('r1', old), decisionOf('r2', limit), decisionOf('r3', recent)].map((decision): StoreWrite => ({
          type: 'add-decision',
          decision,
        })),
      ]);
    });
    afterEach(() => store.close());

    it('removes outputs and decisions from before the limits and keeps newer ones', async () => {
      expect(await store.tidy({ outputsBefore: limit, decisionsBefore: limit })).toEqual({ outputs: 1, decisions: 1 });
      expect(outputs()).toEqual([false, true, true]);
      expect(decisions()).toEqual(['r2', 'r3']);
      expect(await store.tidy({ outputsBefore: limit, decisionsBefore: limit })).toEqual({ outputs: 0, decisions: 0 });
    });

    it('has separate limits for outputs and decisions', async () => {
      expect(await store.tidy({ outputsBefore: recent, decisionsBefore: null })).toEqual({ outputs: 2, decisions: 0 });
      expect([outputs(), decisions()]).toEqual([
        [false, false, true],
        ['r1', 'r2', 'r3'],
      ]);
      expect(await store.tidy({ outputsBefore: null, decisionsBefore: recent })).toEqual({ outputs: 0, decisions: 2 });
      expect([outputs(), decisions()]).toEqual([[false, false, true], ['r3']]);
    });

    it('removes nothing without limits', async () => {
      expect(await store.tidy({ outputsBefore: null, decisionsBefore: null })).toEqual({ outputs: 0, decisions: 0 });
      expect([outputs(), decisions()]).toEqual([
        [true, true, true],
        ['r1', 'r2', 'r3'],
      ]);
    });

    it('keeps sessions, turns, items and their search index', async () => {
      const all = '9999-01-01T00:00:00.000Z';
      await store.tidy({ outputsBefore: all, decisionsBefore: all });
      expect([outputs(), decisions()]).toEqual([[false, false, false], []]);
      expect(store.session('s')).toEqual(sessionRow('s'));
      expect(store.turn('s', 't')?.state).toBe('completed');
      expect(store.itemsOfTurn('s', 't').map(({ itemId }) => itemId)).toEqual(['t:1:0', 't:2:0', 't:3:0']);
      const found = store.searchItems({
        words: searchWords('shortened'),
        limit: 10,
        perSession: 10,
        isWanted: () => true,
      });
      expect(found).toHaveLength(3);
    });

    it('counts the age of a rewritten output from its last write', async () => {
      await store.write([outputWrite('t:1:0', recent, 'again')]);
      expect(await store.tidy({ outputsBefore: limit, decisionsBefore: null })).toEqual({ outputs: 0, decisions: 0 });
      expect(store.output('s', 't:1:0')).toBe('again');
    });
  });
}
