import { describe, expect, it } from 'vitest';
import { line } from './testing/emission-summary.ts';
import { createGrowingText } from './growing-text.ts';
import { newItem, type CallItem, type TextItem } from './open-item.ts';
import { createOpenItems } from './open-items.ts';

const pacing = { batchGradient: [10], batchTimeoutMs: 1000, maxLatencyMs: 50, firstLatencyMs: 50 };
const textItem = (itemId: string, turnId = 't1'): TextItem => ({
  ...newItem({ itemId, turnId }, 0),
  type: 'message',
  providerId: 'demo',
  origin: 'agent',
  attachments: undefined,
  text: createGrowingText(pacing),
});
const callItem = (itemId: string, callId: string, turnId = 't1'): CallItem => ({
  ...newItem({ itemId, turnId }, 0),
  type: 'tool_call',
  callId,
  fields: { toolName: 'read', toolArguments: {} },
  hasOutput: false,
  output: createGrowingText(pacing),
});
const create = () => createOpenItems({ sessionId: 's1', providerId: 'demo' });

describe('open items', () => {
  it('finds open items by id, by call and by turn', () => {
    const items = create();
    const message = textItem('a');
    const call = callItem('b', 'c1', 't2');
    items.open(message);
    items.open(call);
    expect(items.find('a')).toBe(message);
    expect(items.findCall('c1')).toBe(call);
    expect(items.ofTurn('t2')).toEqual([call]);
    expect(items.all()).toEqual([message, call]);
  });

  it('forgets an ended item, but not its call id, nor its own id while the turn runs', () => {
    const items = create();
    const call = callItem('b', 'c1');
    items.open(call);
    expect(line(items.complete(call, 0))).toBe('complete b read');
    expect(items.find('b')).toBeUndefined();
    expect(items.findCall('c1')).toBeUndefined();
    expect(items.knowsCall('c1')).toBe(true);
    expect(items.isTaken('t1', 'b')).toBe(true);
    items.forgetTurn('t1');
    expect(items.isTaken('t1', 'b')).toBe(false);
    expect(items.knowsCall('c1')).toBe(true);
  });

  it('knows which items are due, until they are emitted or dropped', () => {
    const items = create();
    const [first, second] = [textItem('a'), textItem('b')];
    items.open(first);
    items.open(second);
    expect(items.dueAt()).toBe(Number.POSITIVE_INFINITY);
    for (const [item, at] of [
      [first, 100],
      [second, 120],
    ] as const) {
      item.text.append('word', at);
      items.await(item);
    }
    expect(items.dueAt()).toBe(150);
    expect(items.dueBy(149)).toEqual([]);
    expect(items.dueBy(160)).toEqual([first]);
    items.emit(first, 160);
    expect(items.dueAt()).toBe(170);
    items.drop(second);
    expect(items.dueAt()).toBe(Number.POSITIVE_INFINITY);
  });

  it('ends no call that may be waiting for the user', () => {
    const items = create();
    const call = callItem('b', 'c1');
    call.fields = { ...call.fields, awaitingPermission: true };
    items.open(call);
    items.emit(call, 0);
    const ended = items.fail(call, { code: 'PROCESS_CRASH', message: 'Gone' }, 0);
    expect(ended).toMatchObject({ upsert: { status: 'error', awaitingPermission: false } });
  });
});
