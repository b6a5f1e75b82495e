import type { TurnRecord } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import { foldOlderPage, closedByHistory, noteClosed } from './fold-history.ts';
import { fold } from './fold.ts';
import { nothing } from './folded.ts';
import { appendMessage, historyMessage, message, permission, toolCall, upsertMessage } from './testing/messages.ts';
import { createTimeline, itemsInOrder, type Timeline } from './timeline.ts';

const turn = (turnId: string): TurnRecord => ({ turnId, state: 'completed' });
const entry = (number: number, content = 'text') =>
  message(`t${number}:1:0`, { turnId: `t${number}`, order: number * 10, content });
const idsOf = (timeline: Timeline): string[] => [...itemsInOrder(timeline)].map((item) => item.itemId);

/** Turns 7 to 9 are loaded, older ones aren't. */
const opened = (): Timeline => {
  const timeline = createTimeline();
  const numbers = [7, 8, 9];
  fold(
    timeline,
    historyMessage(10, {
      entries: numbers.map((number) => entry(number)),
      turns: numbers.map((number) => turn(`t${number}`)),
      hasMore: true,
    }),
  );
  return timeline;
};
const page = (numbers: readonly number[], nextBefore: string | null) => ({
  entries: numbers.map((number) => entry(number)),
  turns: numbers.map((number) => turn(`t${number}`)),
  nextBefore,
});

describe('a history', () => {
  test('replaces everything, and keeps the objects of unchanged items', () => {
    const timeline = opened();
    const held = timeline.items.get('t8:1:0');
    const entries = [entry(8), entry(9, 'changed')];
    const changed = fold(timeline, historyMessage(12, { entries, turns: [turn('t8'), turn('t9')] }));
    expect(changed).toMatchObject({ reset: true, added: true, items: ['t9:1:0'], turns: [], more: true });
    expect(idsOf(timeline)).toEqual(['t8:1:0', 't9:1:0']);
    expect(timeline.items.get('t8:1:0')).toBe(held);
    expect(timeline.cursor).toEqual({ epoch: 'e1', seq: 12 });
  });

  test('changes nothing if it is older, within an epoch, or says nothing new', () => {
    const timeline = opened();
    const same = historyMessage(11, {
      entries: [7, 8, 9].map((number) => entry(number)),
      turns: [7, 8, 9].map((number) => turn(`t${number}`)),
      hasMore: true,
    });
    expect(fold(timeline, same)).toBe(nothing);
    expect(timeline.cursor?.seq).toBe(11);
    expect(fold(timeline, historyMessage(9))).toBe(nothing);
    expect(idsOf(timeline)).toHaveLength(3);
  });

  test('brings full texts, so appends to an item with a gap apply again', () => {
    const timeline = opened();
    expect(fold(timeline, appendMessage(11, { itemId: 't9:1:0', offset: 8, text: '!' })).missing).toEqual(['t9:1:0']);
    const turns = [7, 8, 9].map((number) => turn(`t${number}`));
    fold(timeline, historyMessage(12, { entries: [entry(7), entry(8), entry(9, 'text and!')], turns, hasMore: true }));
    expect(fold(timeline, appendMessage(13, { itemId: 't9:1:0', offset: 9, text: ' more' })).items).toEqual(['t9:1:0']);
    expect(timeline.items.get('t9:1:0')).toMatchObject({ content: 'text and! more' });
  });

  test('keeps turns without items in their listed position', () => {
    const timeline = createTimeline();
    const turns = ['t1', 't2', 't3', 't4'].map((turnId) => turn(turnId));
    fold(timeline, historyMessage(1, { entries: [entry(2), entry(4)], turns }));
    expect(timeline.turnIds).toEqual(['t1', 't2', 't3', 't4']);
  });

  test('PM-2: shows a request as ended if it was open here and isn’t in the history', () => {
    const timeline = opened();
    fold(timeline, historyMessage(11, { permissions: [permission('p'), permission('q')] }));
    fold(timeline, historyMessage(12, { permissions: [permission('q')] }, { epoch: 'e2' }));
    expect(timeline.permissions).toEqual([permission('q')]);
    expect(timeline.closedPermissions).toEqual([{ state: 'ended', request: permission('p') }]);
  });
});

describe('an older page', () => {
  test('is added in front, page after page, until there are no more', () => {
    const timeline = opened();
    const held = timeline.items.get('t7:1:0');
    expect(timeline.before).toBe('t7');
    expect(foldOlderPage(timeline, page([4, 5, 6], 't4'))).toMatchObject({ added: true, reshaped: ['t4', 't5', 't6'] });
    expect(timeline).toMatchObject({ hasMore: true, before: 't4' });
    expect(foldOlderPage(timeline, page([1, 2, 3], null))).toMatchObject({ added: true, more: true });
    expect(timeline.hasMore).toBe(false);
    expect(idsOf(timeline)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `t${number}:1:0`));
    expect(timeline.items.get('t7:1:0')).toBe(held);
  });

  test('is ignored if something else was loaded since the request', () => {
    const timeline = opened();
    foldOlderPage(timeline, page([4, 5, 6], 't4'), 't7');
    expect(foldOlderPage(timeline, page([4, 5, 6], 't4'), 't7')).toBe(nothing);
    expect(timeline.before).toBe('t4');
  });

  test('doesn’t undo a late change that has already arrived', () => {
    const timeline = opened();
    const late = toolCall('t5:1:1', { turnId: 't5', order: 51, toolOutput: 'late result' });
    fold(timeline, upsertMessage(11, late));
    expect(idsOf(timeline)[0]).toBe('t5:1:1');
    const older = page([4, 5, 6], 't4');
    const entries = [...older.entries, toolCall('t5:1:1', { turnId: 't5', order: 51, status: 'update' })];
    expect(foldOlderPage(timeline, { ...older, entries }).items).toEqual(['t4:1:0', 't6:1:0', 't5:1:0']);
    expect(idsOf(timeline).slice(0, 4)).toEqual(['t4:1:0', 't5:1:0', 't5:1:1', 't6:1:0']);
    expect(timeline.items.get('t5:1:1')).toBe(late);
    expect(timeline.turns.get('t5')?.record).toEqual(turn('t5'));
  });

  test('doesn’t fill a gap: its text may be older than the dropped append', () => {
    const timeline = opened();
    expect(fold(timeline, appendMessage(11, { itemId: 't6:1:0', offset: 8, text: '!' })).missing).toEqual(['t6:1:0']);
    foldOlderPage(timeline, page([6], null));
    expect(fold(timeline, appendMessage(12, { itemId: 't6:1:0', offset: 4, text: '!' }))).toBe(nothing);
    expect(fold(timeline, upsertMessage(12, entry(6, 'text and!!'))).items).toEqual(['t6:1:0']);
  });

  test('can be empty and say that there are no more', () => {
    const timeline = opened();
    expect(foldOlderPage(timeline, page([], null))).toEqual({ ...nothing, more: true });
    expect(foldOlderPage(timeline, page([], null))).toBe(nothing);
  });
});

test('keeps the newest twenty closed requests, newest last', () => {
  const notices = Array.from({ length: 25 }, (_, at) => ({ state: 'ended' as const, request: permission(`p${at}`) }));
  const kept = noteClosed(notices.slice(0, 20), notices.slice(20));
  expect(kept.map((notice) => notice.request.requestId)).toEqual(notices.slice(5).map((one) => one.request.requestId));
});

test('shows requests as ended that are open here and not there', () => {
  const [p, q, r] = [permission('p'), permission('q'), permission('r')];
  expect(closedByHistory([p, q], [q, r])).toEqual([{ state: 'ended', request: p }]);
});
