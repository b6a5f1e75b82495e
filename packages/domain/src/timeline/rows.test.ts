import { describe, expect, test } from 'vitest';
import { foldOlderPage } from './fold-history.ts';
import { fold } from './fold.ts';
import { createRows } from './rows.ts';
import {
  appendMessage,
  historyMessage,
  message,
  toolCall,
  turnComplete,
  turnMessage,
  upsertMessage,
} from './testing/messages.ts';
import { createTimeline } from './timeline.ts';

function opened() {
  const timeline = createTimeline();
  const rows = createRows();
  const entries = [1, 2, 3].map((number) => message(`t${number}:1:0`, { turnId: `t${number}`, order: number * 10 }));
  rows.update(timeline, fold(timeline, historyMessage(10, { entries, hasMore: true })));
  return { timeline, rows };
}

describe('rows', () => {
  test('don’t change when a text grows', () => {
    const { timeline, rows } = opened();
    const open = message('t3:1:1', { turnId: 't3', order: 31, status: 'create' });
    expect(rows.update(timeline, fold(timeline, upsertMessage(11, open)))).toBe(true);
    const { chunks } = rows;
    expect(rows.update(timeline, fold(timeline, appendMessage(12, { itemId: 't3:1:1', offset: 4, text: '!' })))).toBe(
      false,
    );
    expect(rows.chunks).toBe(chunks);
  });

  test('are new only for the turn that changed, and in it only if they differ', () => {
    const { timeline, rows } = opened();
    const before = rows.chunks;
    rows.update(timeline, fold(timeline, upsertMessage(11, toolCall('t2:1:1', { turnId: 't2', order: 21 }))));
    expect(rows.chunks.map((chunk, at) => chunk === before[at])).toEqual([true, false, true]);
    expect(rows.chunks[1]?.rows[0]).toBe(before[1]?.rows[0]);
    expect(rows.chunks[1]?.rows).toHaveLength(2);
  });

  test('can be read at any index of the whole list', () => {
    const { timeline, rows } = opened();
    rows.update(timeline, fold(timeline, turnMessage(11, turnComplete('t2'))));
    rows.update(
      timeline,
      fold(timeline, upsertMessage(12, message('t4:1:0', { turnId: 't4', order: 40, content: '' }))),
    );
    rows.update(timeline, fold(timeline, upsertMessage(13, message('t5:1:0', { turnId: 't5', order: 50 }))));
    expect(rows.length).toBe(5);
    expect([-1, 0, 1, 2, 3, 4, 5].map((at) => rows.at(at)?.key)).toEqual([
      undefined,
      't1:1:0',
      't2:1:0',
      't2:end',
      't3:1:0',
      't5:1:0',
      undefined,
    ]);
    expect(createRows().at(0)).toBeUndefined();
  });

  test('follow older pages and new histories that move and drop turns', () => {
    const { timeline, rows } = opened();
    const entries = [message('t0:1:0', { turnId: 't0', order: 1 })];
    rows.update(timeline, foldOlderPage(timeline, { entries, turns: [], nextBefore: null }));
    expect(rows.chunks.map((chunk) => chunk.turnId)).toEqual(['t0', 't1', 't2', 't3']);
    rows.update(timeline, fold(timeline, historyMessage(1, { entries }, { epoch: 'e2' })));
    expect(rows.chunks.map((chunk) => chunk.turnId)).toEqual(['t0']);
    expect(rows.length).toBe(1);
  });
});
