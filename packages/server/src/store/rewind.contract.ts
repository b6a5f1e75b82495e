import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RewindRow } from './review-rows.ts';
import { turnRow } from './testing/sample-rows.ts';
import type { Store } from './store.ts';

/** What every store does with rewound turns. */
export function rewindContract(name: string, open: () => Promise<Store>): void {
  describe(`rewound turns: ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    it('CP-9: leaves rewound turns out of the history, and lists unfinished rewinds', async () => {
      const rewound = { rewindId: 'r', state: 'completed' as const, position: 4 };
      const rewind: RewindRow = {
        sessionId: 's',
        rewindId: 'r',
        state: 'forked',
        turnIds: ['t'],
        position: 4,
        agentBefore: ['s'],
        agentAfter: ['copy'],
        isBound: true,
        folder: '/p',
        files: [{ path: 'a.ts', from: { id: 'x', mode: 33188 }, to: null }],
        at: '2026-01-01T00:00:00.000Z',
      };
      await store.write([
        { type: 'put-turn', row: turnRow('kept', { position: 3, state: 'completed' }) },
        { type: 'put-turn', row: turnRow('t', { position: null, state: 'rewound', rewound }) },
        { type: 'put-rewind', row: { ...rewind, state: 'planned' } },
        { type: 'put-rewind', row: rewind },
      ]);
      expect(store.turnsBefore('s', null, 9).map(({ turnId }) => turnId)).toEqual(['kept']);
      expect(store.turn('s', 't')).toMatchObject({ rewound });
      expect([store.rewinds('s'), store.unfinishedRewinds()]).toEqual([[rewind], [rewind]]);
      await store.write([{ type: 'put-rewind', row: { ...rewind, state: 'done', isBound: false } }]);
      expect(store.unfinishedRewinds()).toHaveLength(1);
      await store.write([{ type: 'put-rewind', row: { ...rewind, state: 'done' } }]);
      expect(store.unfinishedRewinds()).toEqual([]);
    });
  });
}
