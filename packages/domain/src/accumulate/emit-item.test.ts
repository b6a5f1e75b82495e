import { describe, expect, it } from 'vitest';
import { createGrowingText } from './growing-text.ts';
import { newItem, type CallItem, type PlanItem, type TextItem } from './open-item.ts';
import { emitItem } from './emit-item.ts';

const identity = { sessionId: 's1', providerId: 'demo' };
const pacing = { batchGradient: [10], batchTimeoutMs: 1000, maxLatencyMs: 50, firstLatencyMs: 50 };
const place = { itemId: 't1:1:0', turnId: 't1' };

const textItem = (type: 'message' | 'thinking'): TextItem => ({
  ...newItem(place, 1000),
  type,
  providerId: 'demo',
  origin: 'agent',
  attachments: undefined,
  text: createGrowingText(pacing),
});

describe('emit item', () => {
  it('includes the times of the agent’s event and of the emission', () => {
    const item = textItem('message');
    item.text.append('one', 1000);
    expect(emitItem(identity, item, 'step', 1050)).toEqual({
      kind: 'upsert',
      upsert: {
        type: 'message',
        sessionId: 's1',
        ...place,
        status: 'create',
        content: 'one',
        origin: 'agent',
        sourceTimestamp: '1970-01-01T00:00:01.000Z',
        emittedAt: '1970-01-01T00:00:01.050Z',
      },
    });
  });

  it('includes the appended text from the second emission on, also when the item ends', () => {
    const item = textItem('thinking');
    item.text.append('one', 0);
    emitItem(identity, item, 'step', 0);
    item.text.append(' two', 0);
    expect(emitItem(identity, item, 'step', 0)).toMatchObject({
      upsert: { type: 'thinking', status: 'update', content: 'one two', providerId: 'demo' },
      appended: { appendedFrom: 3, text: ' two' },
    });
    expect(emitItem(identity, item, { code: 'SUPERSEDED', message: 'Said again' }, 0)).toMatchObject({
      upsert: { status: 'error', content: 'one two', errorCode: 'SUPERSEDED', errorMessage: 'Said again' },
      appended: { appendedFrom: 7, text: '' },
    });
  });

  it('doesn’t report an append if something besides the text changed', () => {
    const item = textItem('message');
    item.text.append('one', 0);
    emitItem(identity, item, 'step', 0);
    item.origin = 'user';
    item.changed = true;
    expect(emitItem(identity, item, 'complete', 0)).not.toHaveProperty('appended');
  });

  it('emits a call without output without an output field', () => {
    const call: CallItem = {
      ...newItem({ ...place, parentCallId: 'outer' }, 0),
      type: 'tool_call',
      callId: 'c1',
      fields: { toolName: 'read', toolArguments: { path: 'a' } },
      hasOutput: false,
      output: createGrowingText(pacing),
    };
    const first = emitItem(identity, call, 'step', 0);
    expect(first).toMatchObject({ upsert: { toolName: 'read', callId: 'c1', parentCallId: 'outer' } });
    expect(first).not.toHaveProperty('upsert.toolOutput');
    call.hasOutput = true;
    call.output.append('text', 0);
    expect(emitItem(identity, call, 'complete', 0)).toMatchObject({
      upsert: { status: 'complete', toolOutput: 'text' },
      appended: { appendedFrom: 0, text: 'text' },
    });
  });

  it('emits the whole plan', () => {
    const plan: PlanItem = { ...newItem(place, 0), type: 'plan', entries: [{ content: 'Look', status: 'pending' }] };
    expect(emitItem(identity, plan, 'step', 0)).toMatchObject({
      upsert: { type: 'plan', status: 'create', entries: [{ content: 'Look', status: 'pending' }] },
    });
  });
});
