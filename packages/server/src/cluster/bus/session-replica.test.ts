import type { Change } from '@liminal/domain/delivery/change';
import { describe, expect, it, vi } from 'vitest';
import type { StreamEntry } from '../redis/stream-reader.ts';
import { agentMessage, emptyHistory as history, keepingReader } from '../../testing/session-samples.ts';
import type { SessionLook } from './read-session.ts';
import { createSessionReplica } from './session-replica.ts';

/** A replica with a fake Redis that consists of a few variables. */
function scene(inRedis = 'so far') {
  let isRemote = true;
  let look: SessionLook | undefined = { epoch: 'e', seq: 5, lastId: '10-0', history, recentFrom: 5, recent: [] };
  const ignore = (): void => {};
  let notify: (entries: readonly StreamEntry[]) => void = ignore;
  const asked: string[] = [];
  let unreadable = 0;
  const replica = createSessionReplica({
    look: async () => look,
    isRemote: () => isRemote,
    async item(itemId) {
      asked.push(itemId);
      return { type: 'session:upsert', payload: agentMessage('i', inRedis) };
    },
    watch(_fromId, onEntries) {
      notify = onEntries;
      return () => (notify = ignore);
    },
    onUnreadable: () => (unreadable += 1),
    onError: (error) => {
      throw error;
    },
  });
  const { follower, changes, starts, renewals } = keepingReader();
  const follow = (cursor?: { epoch: string; seq: number }) => replica.follow(cursor, follower);
  const entry = (id: string, prev: number, seq: number, message: object): StreamEntry => ({
    id,
    fields: { p: String(prev), s: String(seq), d: JSON.stringify([{ seq, ...message }]) },
  });
  return {
    replica,
    changes,
    starts,
    asked,
    follow,
    renewals,
    unreadable: () => unreadable,
    isWatched: () => notify !== ignore,
    setLook: (next: Partial<SessionLook>) => (look = look && { ...look, ...next }),
    /** Redis doesn't have the session, or not yet. */
    empty: () => (look = undefined),
    /** No other machine lists the session any more. */
    delist: () => (isRemote = false),
    hear: (...entries: StreamEntry[]) => notify(entries),
    info: (id: string, prev: number, seq: number, title: string) =>
      entry(id, prev, seq, { type: 'session:info', payload: { title } }),
    append: (id: string, prev: number, seq: number, offset: number, text: string) =>
      entry(id, prev, seq, { type: 'session:append', payload: { itemId: 'i', offset, text } }),
    async started() {
      follow();
      await vi.waitFor(() => expect(starts).toHaveLength(1));
    },
  };
}
const titles = (changes: readonly Change[]) =>
  changes.map(({ seq, body }) => [seq, body.type === 'session:info' ? body.payload.title : body.type]);

describe('a replica', () => {
  it('repeats the owner’s numbers, and sends a duplicate only once', async () => {
    const { started, hear, info, changes } = scene();
    await started();
    hear(info('11-0', 5, 7, 'a'), info('12-0', 7, 8, 'b'));
    hear(info('11-0', 5, 7, 'a'), info('12-0', 7, 8, 'b'), info('12-1', 8, 9, 'c'));
    await vi.waitFor(() =>
      expect(titles(changes)).toEqual([
        [7, 'a'],
        [8, 'b'],
        [9, 'c'],
      ]),
    );
  });

  it.each([
    ['a gap in the numbers', { id: '11-0', fields: { p: '6', s: '7', d: '[]' } }],
    ['other numbers', { id: '11-0', fields: { r: 'another', s: '5' } }],
    ['the same numbers from further on', { id: '11-0', fields: { r: 'e', s: '6' } }],
    ['changes it cannot read', { id: '11-0', fields: { p: '5', s: '6', d: '[{"type":"session:dream","seq":6}]' } }],
  ])('makes its readers load a history after %s', async (name, entry) => {
    const { started, hear, renewals, unreadable, changes } = scene();
    await started();
    hear(entry);
    await vi.waitFor(() => expect(renewals()).toBe(1));
    expect([changes, unreadable()]).toEqual([[], name === 'changes it cannot read' ? 1 : 0]);
  });

  it('continues if everything was rewritten exactly at its cursor', async () => {
    const { started, hear, info, changes, renewals } = scene();
    await started();
    hear({ id: '11-0', fields: { r: 'e', s: '5' } }, info('12-0', 5, 6, 'a'));
    await vi.waitFor(() => expect(titles(changes)).toEqual([[6, 'a']]));
    expect(renewals()).toBe(0);
  });

  it('reads the text before an append from Redis, and sends the next ones as appends', async () => {
    const { started, hear, append, changes, asked } = scene('so far and more');
    await started();
    hear(append('11-0', 5, 6, 6, ' and more'), append('12-0', 6, 7, 15, ' still'));
    await vi.waitFor(() => expect(changes).toHaveLength(2));
    expect(asked).toEqual(['i']);
    expect(changes.map(({ body }) => body)).toMatchObject([
      { payload: { content: 'so far and more' } },
      { payload: { content: 'so far and more still' }, appended: { appendedFrom: 15, text: ' still' } },
    ]);
    expect(changes[0]?.body).not.toHaveProperty('appended');
  });

  it('answers a known cursor with what changed since, and any other with a gap', async () => {
    const { started, follow, hear, info, changes, starts, setLook } = scene();
    await started();
    hear(info('11-0', 5, 6, 'a'), info('12-0', 6, 7, 'b'));
    await vi.waitFor(() => expect(changes).toHaveLength(2));
    setLook({ seq: 7 });
    for (const cursor of [
      { epoch: 'e', seq: 6 },
      { epoch: 'e', seq: 3 },
      { epoch: 'x', seq: 6 },
    ])
      follow(cursor);
    await vi.waitFor(() => expect(starts).toHaveLength(4));
    const verdicts = starts.slice(1).map(({ verdict, seq }) => `${verdict} ${seq}`);
    expect(verdicts.toSorted()).toEqual(['gap 7', 'gap 7', 'ok 7']);
  });

  it('sends back a reader that still waits for the session when it becomes local', async () => {
    const { replica, follow, empty, renewals, starts } = scene();
    empty();
    follow();
    replica.close();
    expect([renewals(), starts]).toEqual([1, []]);
  });

  it('starts no reader with what it read while it was closed', async () => {
    const { replica, follow, renewals, starts, isWatched } = scene();
    follow();
    replica.close();
    await new Promise(setImmediate);
    expect([renewals(), starts, isWatched()]).toEqual([1, [], false]);
  });

  it('sends back readers that wait for a session nobody lists any more', async () => {
    const { replica, follow, empty, delist, renewals, starts } = scene();
    empty();
    follow();
    await new Promise(setImmediate);
    expect(renewals()).toBe(0);
    delist();
    await vi.waitFor(() => expect(renewals()).toBe(1));
    expect([starts, replica.readers()]).toEqual([[], 0]);
  });
});
