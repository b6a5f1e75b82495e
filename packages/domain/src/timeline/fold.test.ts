import { describe, expect, test } from 'vitest';
import { fold } from './fold.ts';
import { nothing } from './folded.ts';
import {
  appendMessage,
  historyMessage,
  message,
  permission,
  permissionMessage,
  resumedMessage,
  toolCall,
  turnComplete,
  turnMessage,
  turnStarted,
  upsertMessage,
} from './testing/messages.ts';
import { createTimeline, itemsInOrder, type Timeline } from './timeline.ts';

const opened = (): Timeline => {
  const timeline = createTimeline();
  fold(timeline, historyMessage(10));
  return timeline;
};
const idsOf = (timeline: Timeline): string[] => [...itemsInOrder(timeline)].map((item) => item.itemId);

describe('items', () => {
  test('adds a new item, and replaces only the object of a changed one', () => {
    const timeline = opened();
    expect(fold(timeline, upsertMessage(11, message('a', { status: 'create', order: 0 })))).toMatchObject({
      items: ['a'],
      added: true,
      reshaped: ['t1'],
    });
    fold(timeline, upsertMessage(12, message('b', { order: 1 })));
    const [a, b] = itemsInOrder(timeline);
    const grown = message('a', { status: 'update', order: 0, content: 'text and more' });
    expect(fold(timeline, upsertMessage(13, grown))).toEqual({ ...nothing, items: ['a'] });
    expect(timeline.items.get('a')).not.toBe(a);
    expect(timeline.items.get('b')).toBe(b);
    expect(timeline.cursor).toEqual({ epoch: 'e1', seq: 13 });
  });

  test('are sorted by order, not by arrival; those without one come last', () => {
    const timeline = opened();
    for (const [seq, order] of [
      [11, 4],
      [12, undefined],
      [13, 2],
      [14, 9],
      [15, 3],
    ] as const) {
      fold(timeline, upsertMessage(seq, message(`i${order}`, order === undefined ? {} : { order })));
    }
    expect(idsOf(timeline)).toEqual(['i2', 'i3', 'i4', 'i9', 'iundefined']);
  });

  test('moves an item that gets its order late', () => {
    const timeline = opened();
    fold(timeline, upsertMessage(11, message('a')));
    fold(timeline, upsertMessage(12, message('b', { order: 5 })));
    expect(idsOf(timeline)).toEqual(['b', 'a']);
    expect(fold(timeline, upsertMessage(13, message('a', { order: 1 })))).toMatchObject({ added: true });
    expect(idsOf(timeline)).toEqual(['a', 'b']);
  });

  test('sorts turns by their first item, even after a late change of an old turn', () => {
    const timeline = opened();
    fold(timeline, upsertMessage(11, message('b', { turnId: 't2', order: 20 })));
    fold(timeline, turnMessage(12, turnStarted('t3')));
    fold(timeline, upsertMessage(13, toolCall('a', { turnId: 't1', order: 3 })));
    fold(timeline, upsertMessage(14, message('c', { turnId: 't3', order: 30 })));
    expect(timeline.turnIds).toEqual(['t1', 't2', 't3']);
    expect(idsOf(timeline)).toEqual(['a', 'b', 'c']);
  });

  test('ignores a state older than the known one', () => {
    const timeline = opened();
    fold(timeline, upsertMessage(12, message('a', { content: 'newer' })));
    expect(fold(timeline, upsertMessage(11, message('a', { content: 'older' })))).toBe(nothing);
    expect(fold(timeline, upsertMessage(9, message('b')))).toBe(nothing);
    expect(timeline.items.get('a')).toMatchObject({ content: 'newer' });
  });
});

describe('epochs', () => {
  test('ignores messages before the first history or of another epoch', () => {
    expect(fold(createTimeline(), upsertMessage(1, message('a')))).toBe(nothing);
    expect(fold(opened(), upsertMessage(99, message('a'), { epoch: 'e0' }))).toBe(nothing);
  });

  test('keeps everything after ok; adds nothing after gap until a history comes, whatever its number', () => {
    const timeline = opened();
    expect(fold(timeline, resumedMessage(10, 'ok'))).toBe(nothing);
    fold(timeline, upsertMessage(11, message('a')));
    fold(timeline, resumedMessage(11, 'gap'));
    expect(fold(timeline, upsertMessage(12, message('b')))).toBe(nothing);
    expect(idsOf(timeline)).toEqual(['a']);
    expect(fold(timeline, historyMessage(2, { entries: [message('c')] }))).toMatchObject({ reset: true, items: ['c'] });
    expect(idsOf(timeline)).toEqual(['c']);
    expect(fold(timeline, upsertMessage(3, message('d')))).toMatchObject({ items: ['d'] });
  });
});

test('starts counting again in a new epoch, so a lower number is new', () => {
  const timeline = opened();
  fold(timeline, upsertMessage(12, message('a', { content: 'old' })));
  fold(timeline, historyMessage(2, { entries: [message('a', { content: 'old' })] }, { epoch: 'e2' }));
  expect(fold(timeline, upsertMessage(3, message('a', { content: 'new' }), { epoch: 'e2' })).items).toEqual(['a']);
  const info = { type: 'session:info' as const, sessionId: 's', payload: { title: 'T' } };
  fold(timeline, { ...info, epoch: 'e2', seq: 4 });
  fold(timeline, historyMessage(1, {}, { epoch: 'e3' }));
  expect(fold(timeline, { ...info, epoch: 'e3', seq: 2 }).info).toBe(true);
});

describe('appends', () => {
  test('changes the item but no row when its text grows', () => {
    const timeline = opened();
    fold(timeline, upsertMessage(11, message('a', { status: 'create', content: 'one' })));
    expect(fold(timeline, appendMessage(12, { itemId: 'a', offset: 3, text: ' two' }))).toEqual({
      ...nothing,
      items: ['a'],
    });
    expect(fold(timeline, appendMessage(13, { itemId: 'a', offset: 7, text: '', status: 'complete' }))).toEqual({
      ...nothing,
      items: ['a'],
      reshaped: ['t1'],
    });
    expect(timeline.items.get('a')).toMatchObject({ content: 'one two', status: 'complete' });
  });

  test('requests a missing part once, and drops appends until the full item comes', () => {
    const timeline = opened();
    fold(timeline, upsertMessage(11, message('a', { status: 'create', content: 'one' })));
    expect(fold(timeline, appendMessage(13, { itemId: 'a', offset: 7, text: ' three' })).missing).toEqual(['a']);
    expect(fold(timeline, appendMessage(14, { itemId: 'a', offset: 3, text: ' two' }))).toBe(nothing);
    expect(fold(timeline, resumedMessage(14, 'ok')).missing).toEqual(['a']);
    const whole = message('a', { status: 'update', content: 'one two three' });
    expect(fold(timeline, upsertMessage(14, whole)).items).toEqual(['a']);
    expect(fold(timeline, appendMessage(15, { itemId: 'a', offset: 13, text: '!' })).items).toEqual(['a']);
    expect(timeline.items.get('a')).toMatchObject({ content: 'one two three!' });
  });

  test('requests an item that is missing', () => {
    const timeline = opened();
    expect(fold(timeline, appendMessage(11, { itemId: 'old', offset: 3, text: '!' })).missing).toEqual(['old']);
    expect(fold(timeline, upsertMessage(12, message('old', { content: 'yes!' })))).toMatchObject({ added: true });
    expect(timeline.holes.size).toBe(0);
  });
});

describe('turns', () => {
  test('builds the record from start and end; an item may come first', () => {
    const timeline = opened();
    fold(timeline, upsertMessage(11, message('t1:0:0', { origin: 'user', order: 0 })));
    expect(timeline.turns.get('t1')?.record).toBeUndefined();
    expect(fold(timeline, turnMessage(12, turnStarted()))).toEqual({ ...nothing, turns: ['t1'], reshaped: ['t1'] });
    expect(timeline.turns.get('t1')?.record?.state).toBe('running');
    fold(timeline, turnMessage(13, turnComplete('t1', 'cancelled')));
    expect(timeline.turns.get('t1')?.record).toEqual({
      turnId: 't1',
      state: 'cancelled',
      started: turnStarted(),
      ended: turnComplete('t1', 'cancelled'),
    });
  });

  test('a failed turn keeps its error', () => {
    const timeline = opened();
    const ended = { type: 'turn_error' as const, turnId: 't1', sessionId: 's', errorCode: 'X', errorMessage: 'Y' };
    expect(fold(timeline, turnMessage(11, ended))).toMatchObject({ added: true });
    expect(timeline.turns.get('t1')?.record).toEqual({ turnId: 't1', state: 'failed', ended });
  });
});

describe('permissions and single values', () => {
  test('PM-2: a request that was answered or ended is no longer open, and is kept for a while', () => {
    const timeline = opened();
    for (const [seq, id] of [
      [11, 'p'],
      [12, 'q'],
    ] as const) {
      fold(timeline, permissionMessage(seq, { state: 'open', request: permission(id) }));
    }
    const answered = { state: 'answered' as const, request: permission('p'), optionId: 'yes' };
    expect(fold(timeline, permissionMessage(13, answered))).toEqual({ ...nothing, permissions: true });
    expect(timeline.permissions).toEqual([permission('q')]);
    expect(timeline.closedPermissions).toEqual([answered]);
    for (let seq = 14; seq < 60; seq += 1) {
      fold(timeline, permissionMessage(seq, { state: 'ended', request: permission(`r${seq}`) }));
    }
    expect(timeline.closedPermissions).toHaveLength(20);
  });

  test('replaces status, queue and info; the same value again is no change', () => {
    const timeline = opened();
    const stamp = { sessionId: 's', epoch: 'e1' };
    const status = { state: 'open' as const, activity: 'working' as const, isAlive: true };
    const queue = [{ turnId: 't2', content: 'next', createdAt: '2026-01-01T00:00:00.000Z' }];
    expect(fold(timeline, { type: 'session:status', ...stamp, seq: 11, payload: status }).status).toBe(true);
    expect(fold(timeline, { type: 'session:status', ...stamp, seq: 12, payload: { ...status } })).toBe(nothing);
    expect(fold(timeline, { type: 'session:queue', ...stamp, seq: 13, payload: { queue } }).queue).toBe(true);
    expect(fold(timeline, { type: 'session:queue', ...stamp, seq: 14, payload: { queue: [...queue] } })).toBe(nothing);
    expect(fold(timeline, { type: 'session:info', ...stamp, seq: 15, payload: { title: 'T' } }).info).toBe(true);
    expect(fold(timeline, { type: 'session:info', ...stamp, seq: 16, payload: { title: 'T' } })).toBe(nothing);
    expect(timeline).toMatchObject({ status, queue, info: { title: 'T' }, cursor: { seq: 16 } });
  });
});
