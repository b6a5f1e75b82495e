import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommentRow, UndoRow } from './review-rows.ts';
import type { DeliveryRow, WebhookRow } from './webhook-rows.ts';
import type { Store } from './store.ts';
import { at, checkpointRow, itemRow, keptTree, projectRow, sessionRow, turnRow } from './testing/sample-rows.ts';

/** Every store passes this one suite. */
export function storeContract(
  name: string,
  open: () => Promise<{ store: Store; reopen: () => Promise<Store>; remove: () => Promise<void> }>,
) {
  describe(`store: ${name}`, () => {
    let store: Store;
    let made: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      made = await open();
      ({ store } = made);
    });
    afterEach(async () => {
      await store.close();
      await made.remove();
    });

    it('keeps the newest state of a row under its id', async () => {
      await store.write([
        { type: 'put-session', row: sessionRow('s') },
        { type: 'put-project', row: projectRow('p') },
      ]);
      await store.write([{ type: 'put-session', row: { ...sessionRow('s'), title: 'Better' } }]);
      expect(store.session('s')?.title).toBe('Better');
      expect(store.projects()).toEqual([projectRow('p')]);
      const { info: _info, ...listed } = { ...sessionRow('s'), title: 'Better' };
      expect(store.sessions()).toEqual([listed]);
      expect([sessionRow('s').cliType, 'other'].map((type) => store.hasSessionOf(type))).toEqual([true, false]);
    });

    it('keeps comments, checkpoints and undos until their session is removed', async () => {
      const comment: CommentRow = {
        sessionId: 's',
        commentId: 'c',
        scope: 'uncommitted',
        path: 'a.ts',
        side: 'new',
        startLine: 1,
        endLine: 2,
        quote: 'x',
        text: 'y',
        state: 'draft',
        outdated: false,
        createdAt: at,
        content: null,
      };
      const checkpoint = checkpointRow('one');
      const files = [{ path: 'a.ts', before: { id: 'x', mode: 420 }, after: null }];
      const undo: UndoRow = { sessionId: 's', undoId: 'u', folder: '/p', files, index: [], ref: 'r', at };
      await store.write([
        { type: 'put-comment', row: { ...comment, text: 'older' } },
        { type: 'put-comment', row: comment },
        { type: 'put-comment', row: { ...comment, commentId: 'd' } },
        { type: 'remove-comment', sessionId: 's', commentId: 'd' },
        { type: 'put-checkpoint', row: { ...checkpoint, before: null } },
        { type: 'put-checkpoint', row: checkpoint },
        { type: 'put-checkpoint', row: { ...checkpoint, turnId: 'two' } },
        { type: 'put-undo', row: undo },
      ]);
      expect(store.comments('s')).toEqual([comment]);
      expect(store.checkpoint('s', 'one')).toEqual(checkpoint);
      expect(store.checkpoints('s').map(({ turnId }) => turnId)).toEqual(['one', 'two']);
      expect(store.checkpointSizes().map(({ turnId, bytes }) => [turnId, bytes])).toEqual([
        ['one', 0],
        ['two', 0],
      ]);
      expect([store.undo('s', 'u'), store.undos('s'), store.undos('other')]).toEqual([undo, [undo], []]);
      await store.write([{ type: 'remove-session', sessionId: 's' }]);
      expect([store.comments('s'), store.checkpoints('s'), store.undos('s')]).toEqual([[], [], []]);
    });

    it('tells when the turns of a git directory ran', async () => {
      const later = '2026-01-02T00:00:00.000Z';
      const rows = [
        checkpointRow('one', { after: keptTree(later) }),
        checkpointRow('running', { sessionId: 'other', pruned: true }),
        checkpointRow('elsewhere', { gitDir: '/q/.git' }),
        checkpointRow('without', { before: null, after: keptTree() }),
      ];
      await store.write(rows.map((row) => ({ type: 'put-checkpoint', row }) as const));
      expect(store.checkpointTimes('/p/.git')).toEqual([
        { sessionId: 's', before: at, after: later },
        { sessionId: 'other', before: at, after: null },
      ]);
    });

    it('keeps webhooks, their pending deliveries in order, and seen sessions', async () => {
      const webhook: WebhookRow = {
        webhookId: 'w',
        url: 'https://example.org/',
        events: ['needs-you'],
        allowPrivate: false,
        includeTitle: false,
        secret: 'secret',
        createdAt: at,
      };
      const delivery = (id: string, attempts = 0): DeliveryRow => ({
        webhookId: 'w',
        event: { id, at, kind: 'needs-you', sessionId: 's', projectId: 'p', cliType: 'demo' },
        attempts,
        nextAt: at,
      });
      const seen = { sessionId: 's', projectId: 'p', cliType: 'demo', title: 'Title' };
      await store.write([
        { type: 'put-webhook', row: webhook },
        ...['b', 'a', 'c'].map((id) => ({ type: 'put-delivery', row: delivery(id) }) as const),
        { type: 'put-delivery', row: delivery('b', 1) },
        { type: 'remove-delivery', webhookId: 'w', eventId: 'a' },
        { type: 'put-seen', row: seen },
        { type: 'put-seen', row: { ...seen, sessionId: 'gone' } },
        { type: 'remove-seen', sessionId: 'gone' },
        { type: 'remove-session', sessionId: 's' },
      ]);
      expect(store.webhooks()).toEqual([webhook]);
      expect(store.deliveries('w')).toEqual([delivery('b', 1), delivery('c')]);
      expect(store.seenSessions()).toEqual([seen]);
      await store.write([{ type: 'remove-webhook', webhookId: 'w' }]);
      expect([store.webhooks(), store.deliveries('w')]).toEqual([[], []]);
    });

    it('keeps the number of an item’s last change, and none if it was never published', async () => {
      const row = itemRow('t:1:0', 4, 'a');
      await store.write([{ type: 'put-item', row: { ...row, change: { epoch: 'e', seq: 7 } } }]);
      await store.write([{ type: 'put-item', row: itemRow('t:2:0', 5) }]);
      expect(store.item('s', 't:1:0')?.change).toEqual({ epoch: 'e', seq: 7 });
      expect(store.item('s', 't:2:0')?.change).toBeNull();
      await store.write([{ type: 'put-item', row: { ...row, change: { epoch: 'e', seq: 9 } } }]);
      expect(store.item('s', 't:1:0')?.change).toEqual({ epoch: 'e', seq: 9 });
    });

    it('keeps an item’s place through later writes, and the agent’s id once it is known', async () => {
      await store.write([{ type: 'put-item', row: itemRow('t:1:0', 4, 'a', 'msg-1') }]);
      await store.write([{ type: 'put-item', row: itemRow('t:1:0', 9, 'ab') }]);
      expect(store.item('s', 't:1:0')).toMatchObject({ order: 4, sourceId: 'msg-1', body: { content: 'ab' } });
      expect(store.itemBySource('s', 'msg-1')?.itemId).toBe('t:1:0');
      expect(store.itemBySource('other', 'msg-1')).toBeUndefined();
    });

    it('reads items in order and turns newest first, a page at a time', async () => {
      await store.write([
        { type: 'put-item', row: itemRow('t:2:0', 2) },
        { type: 'put-item', row: itemRow('t:1:0', 1) },
        ...['a', 'b', 'c'].map(
          (id, position) => ({ type: 'put-turn', row: turnRow(id, { position, state: 'completed' }) }) as const,
        ),
      ]);
      expect(store.itemsOfTurn('s', 't').map((row) => row.itemId)).toEqual(['t:1:0', 't:2:0']);
      expect(store.hasItemsOfTurn('s', 't')).toBe(true);
      expect(store.hasItemsOfTurn('s', 'a')).toBe(false);
      expect(store.hasItemsOfTurn('other', 't')).toBe(false);
      expect(store.turnsBefore('s', null, 2).map((row) => row.turnId)).toEqual(['c', 'b']);
      expect(store.turnsBefore('s', 1, 2).map((row) => row.turnId)).toEqual(['a']);
      expect(store.nextPlaces('s')).toEqual({ order: 3, position: 3 });
      expect(store.nextPlaces('new')).toEqual({ order: 0, position: 0 });
      expect(store.firstPlaces('s')).toEqual({ order: 1, position: 0 });
      expect(store.firstPlaces('new')).toBeUndefined();
    });

    it('lists unfinished turns in the order they were accepted', async () => {
      await store.write([
        { type: 'put-turn', row: turnRow('a') },
        { type: 'put-turn', row: turnRow('b') },
        { type: 'put-turn', row: turnRow('c', { sessionId: 'other' }) },
      ]);
      await store.write([{ type: 'put-turn', row: turnRow('a', { state: 'sending', position: 0 }) }]);
      expect(store.openTurns('s').map((row) => [row.turnId, row.state])).toEqual([
        ['a', 'sending'],
        ['b', 'queued'],
      ]);
      expect(store.openTurns()).toHaveLength(3);
      await store.write([{ type: 'put-turn', row: turnRow('a', { state: 'completed', position: 0 }) }]);
      expect(store.openTurns('s').map((row) => row.turnId)).toEqual(['b']);
    });

    it('knows a client message id for the life of the session, and only its first turn unless it is moved', async () => {
      const put = { type: 'put-client-message', sessionId: 's', clientMessageId: 'c1' } as const;
      await store.write([{ ...put, turnId: 'a' }]);
      await store.write([{ ...put, turnId: 'b' }]);
      expect(store.turnOfClientMessage('s', 'c1')).toBe('a');
      await store.write([{ ...put, type: 'move-client-message', turnId: 'b' }]);
      expect(store.turnOfClientMessage('s', 'c1')).toBe('b');
      expect(store.turnOfClientMessage('other', 'c1')).toBeUndefined();
      await store.write([{ ...put, sessionId: 'other', turnId: 'o' }]);
      expect(new Set(store.turnsOfClientMessage('c1'))).toEqual(
        new Set([
          { sessionId: 's', turnId: 'b' },
          { sessionId: 'other', turnId: 'o' },
        ]),
      );
      expect(store.turnsOfClientMessage('c2')).toEqual([]);
      await store.write([{ type: 'remove-client-message', sessionId: 's', clientMessageId: 'c1' }]);
      expect(store.turnOfClientMessage('s', 'c1')).toBeUndefined();
    });

    it('removes a session with everything in it, and nothing else', async () => {
      await store.write([
        { type: 'put-session', row: sessionRow('s') },
        { type: 'put-session', row: sessionRow('s2') },
        { type: 'put-turn', row: turnRow('a') },
        { type: 'put-item', row: itemRow('a:1:0', 0) },
        { type: 'put-output', sessionId: 's', itemId: 'a:1:0', output: 'whole', writtenAt: at },
      ]);
      expect(store.output('s', 'a:1:0')).toBe('whole');
      await store.write([{ type: 'remove-session', sessionId: 's' }]);
      expect(store.sessions().map((row) => row.sessionId)).toEqual(['s2']);
      expect([store.turn('s', 'a'), store.item('s', 'a:1:0'), store.output('s', 'a:1:0')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it('keeps settings and decisions', async () => {
      const decision = {
        sessionId: 's',
        requestId: 'r',
        turnId: 't',
        title: 'x',
        outcome: 'answered',
        by: 'person',
        at,
      } as const;
      await store.write([
        { type: 'put-setting', key: 'tabs', value: { open: ['s'] } },
        { type: 'add-decision', decision },
      ]);
      expect(store.setting('tabs')).toEqual({ open: ['s'] });
      expect(store.setting('none')).toBeUndefined();
      expect(store.decisions('s')).toEqual([decision]);
    });

    it('keeps a request open until a decision about it', async () => {
      const row = { sessionId: 's', requestId: 'r', turnId: 't', title: 'x', toolName: 'Bash' } as const;
      const other = { ...row, requestId: 'r2' };
      const decision = { ...row, outcome: 'ended', by: 'agent', at } as const;
      await store.write([
        { type: 'put-open-request', row },
        { type: 'put-open-request', row: other },
      ]);
      expect(store.openRequests()).toEqual([row, other]);
      await store.write([{ type: 'add-decision', decision }]);
      expect(store.openRequests()).toEqual([other]);
      await store.write([{ type: 'remove-session', sessionId: 's' }]);
      expect(store.openRequests()).toEqual([]);
    });

    it('still has everything after it was closed and reopened', async () => {
      await store.write([
        { type: 'put-session', row: sessionRow('s') },
        { type: 'put-turn', row: turnRow('a') },
      ]);
      await store.close();
      store = await made.reopen();
      expect(store.session('s')).toEqual(sessionRow('s'));
      expect(store.openTurns('s')).toEqual([turnRow('a')]);
    });
  });
}
