import type { UpsertObject } from '@liminal/contracts';
import { searchWords } from '@liminal/domain/search/find-words';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemRow } from './rows.ts';
import { itemRow, turnRow } from './testing/sample-rows.ts';
import type { Store } from './store.ts';

const inSession = (row: ItemRow, sessionId: string): ItemRow => ({
  ...row,
  sessionId,
  body: { ...row.body, sessionId },
});

/** Every store finds the same. */
export function searchContract(name: string, open: () => Promise<{ store: Store; remove: () => Promise<void> }>) {
  describe(`search: ${name}`, () => {
    let store: Store;
    let remove: () => Promise<void>;
    beforeEach(async () => {
      ({ store, remove } = await open());
    });
    afterEach(async () => {
      await store.close();
      await remove();
    });
    const put = (...rows: ItemRow[]) => store.write(rows.map((row) => ({ type: 'put-item', row }) as const));
    const find = (q: string, limits = {}) =>
      store
        .searchItems({ words: searchWords(q), limit: 50, perSession: 50, isWanted: () => true, ...limits })
        .map((found) => found.itemId);

    it('finds words regardless of case and accents, and by prefix while they are typed', async () => {
      await put(itemRow('t:1:0', 0, 'The Wörld is foo.bar(baz) enough'));
      expect(find('world')).toEqual(['t:1:0']);
      expect(find('WORLD foo.b')).toEqual(['t:1:0']);
      expect(find('wor enough')).toEqual([]);
      expect(find('"is foo"')).toEqual(['t:1:0']);
      expect(find('"foo is"')).toEqual([]);
    });

    it('finds the newest of words with the same prefix, common or rare', async () => {
      const words = ['plug', 'plural', 'Plugin', 'plus', 'unplug', 'plugged', 'plum'];
      await put(...words.map((word, order) => itemRow(`t:1:${order}`, order, `a ${word} of many`)));
      expect(find('plug')).toEqual(['t:1:5', 't:1:2', 't:1:0']);
      expect(find('plug', { limit: 2 })).toEqual(['t:1:5', 't:1:2']);
      expect(find('"many" plugge', { limit: 1 })).toEqual(['t:1:5']);
      await put(...words.map((_, order) => itemRow(`t:2:${order}`, order + 10, 'Other plums')));
      expect(find('plume', { limit: 1 })).toEqual([]);
      expect(find('other plums', { limit: 2 })).toEqual(['t:2:6', 't:2:5']);
    });

    it('reports where the words were found', async () => {
      await put(itemRow('t:1:0', 0, 'needle'));
      const words = searchWords('needle');
      expect(store.searchItems({ words, limit: 1, perSession: 1, isWanted: () => true })).toEqual([
        {
          sessionId: 's',
          itemId: 't:1:0',
          turnId: 't',
          type: 'message',
          origin: 'agent',
          at: itemRow('x', 0).body.emittedAt,
          text: 'needle',
        },
      ]);
    });

    it('finds only finished items, in their newest state', async () => {
      const growing = itemRow('t:1:0', 0, 'first');
      await put({ ...growing, body: { ...growing.body, status: 'update' } });
      expect(find('first')).toEqual([]);
      await put(itemRow('t:1:0', 0, 'second'));
      await put(itemRow('t:1:0', 0, 'third'));
      expect([find('first'), find('second'), find('third')]).toEqual([[], [], ['t:1:0']]);
    });

    it('finds the text of a cancelled turn, whichever is written first', async () => {
      const stopped = (itemId: string) => ({
        ...itemRow(itemId, 0, 'stopped'),
        body: { ...itemRow(itemId, 0, 'stopped').body, status: 'update' as const },
      });
      await put(stopped('t:1:0'));
      await store.write([{ type: 'put-turn', row: turnRow('t', { state: 'running' }) }]);
      expect(find('stopped')).toEqual([]);
      await store.write([{ type: 'put-turn', row: turnRow('t', { state: 'cancelled' }) }]);
      await put(stopped('t:2:0'));
      expect(find('stopped')).toEqual(['t:2:0', 't:1:0']);
    });

    it('finds commands, paths and outputs of calls, and steps of plans', async () => {
      const { body, ...row } = itemRow('t:1:0', 0);
      const { turnId, sessionId, itemId, sourceTimestamp, emittedAt, status } = body;
      const base = { turnId, sessionId, itemId, sourceTimestamp, emittedAt, status };
      const call: UpsertObject = {
        ...base,
        type: 'tool_call',
        toolName: 'Bash',
        callId: 'c',
        toolArguments: { command: 'grep zebra' },
        toolOutput: 'striped',
        diffs: [{ path: 'src/okapi.ts', oldText: null, newText: '' }],
      };
      const entries = [{ content: 'feed the lions', status: 'pending' as const }];
      const plan: UpsertObject = { ...base, type: 'plan', itemId: 't:2:0', entries };
      await put({ ...row, body: call }, { ...row, itemId: 't:2:0', order: 1, body: plan });
      expect([find('zebra'), find('striped'), find('okapi'), find('lions'), find('command')]).toEqual([
        ['t:1:0'],
        ['t:1:0'],
        ['t:1:0'],
        ['t:2:0'],
        [],
      ]);
    });

    it('lists the newest first, a few per session, only from wanted sessions', async () => {
      await put(
        ...[0, 1, 2, 3].map((order) => itemRow(`t:${order}:0`, order, 'needle')),
        inSession(itemRow('u:1:0', 0, 'needle'), 'other'),
      );
      expect(find('needle')).toEqual(['u:1:0', 't:3:0', 't:2:0', 't:1:0', 't:0:0']);
      expect(find('needle', { perSession: 2 })).toEqual(['u:1:0', 't:3:0', 't:2:0']);
      expect(find('needle', { limit: 2 })).toEqual(['u:1:0', 't:3:0']);
      expect(find('needle', { isWanted: (id: string) => id === 's', limit: 1 })).toEqual(['t:3:0']);
    });

    it('forgets the text of a removed session', async () => {
      await put(itemRow('t:1:0', 0, 'needle'));
      await store.write([{ type: 'remove-session', sessionId: 's' }]);
      expect(find('needle')).toEqual([]);
    });

    it('accepts any input', { timeout: 30_000 }, async () => {
      await put(itemRow('t:1:0', 0, 'a "quoted" text AND more: NEAR(x) * ^y {z} - col:val'));
      const nasty = [
        '"',
        '""',
        '*',
        'a*',
        'text:',
        '^a',
        'NEAR(a b)',
        'a OR',
        'AND',
        '-a',
        '{a b}:c',
        "'; DROP TABLE items; --",
        '\u0000',
        'a\u0000b',
        '\ud800',
        '%_',
        '日本',
        '🎉',
        'a'.repeat(500),
      ];
      for (const input of nasty) expect(() => find(input)).not.toThrow();
      const any = fc.oneof(
        fc.array(fc.nat(0xffff), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes)),
        fc.string(),
        fc
          .array(fc.constantFrom('"', '*', ' ', 'a', 'OR', '(', ')', '^', ':', '-', '\u0000'))
          .map((parts) => parts.join('')),
      );
      fc.assert(
        fc.property(any, (input) => void find(input)),
        { numRuns: 300 },
      );
    });
  });
}
