import { describe, expect, it } from 'vitest';
import { isoTime } from '../../time/iso-time.ts';
import type { Emission } from '../emission.ts';
import { line, summarise } from './emission-summary.ts';

const base = {
  turnId: 't1',
  sessionId: 's1',
  sourceTimestamp: isoTime(0),
  emittedAt: isoTime(1),
  status: 'update',
} as const;
const message: Emission = {
  kind: 'upsert',
  upsert: { type: 'message', ...base, itemId: 't1:1:0', content: 'one two', origin: 'agent' },
  appended: { appendedFrom: 3, text: ' two' },
};
const call: Emission = {
  kind: 'upsert',
  upsert: {
    type: 'tool_call',
    ...base,
    itemId: 't1:1:1',
    callId: 'c1',
    toolName: 'read',
    toolArguments: {},
    toolOutput: 'ok',
  },
};
const ended: Emission = {
  kind: 'turn',
  event: { type: 'turn_complete', turnId: 't1', sessionId: 's1', status: 'cancelled' },
};

describe('emission summary', () => {
  it('keeps the content and leaves out ids and times', () => {
    expect(summarise(message)).toEqual({
      type: 'message',
      turnId: 't1',
      itemId: 't1:1:0',
      status: 'update',
      content: 'one two',
      origin: 'agent',
      appended: [3, ' two'],
    });
    expect(summarise(ended)).toEqual({ type: 'turn_complete', turnId: 't1', status: 'cancelled' });
  });

  it('fits on one line', () => {
    expect([message, call, ended].map(line)).toEqual([
      'update t1:1:0 "one two"',
      'update t1:1:1 read "ok"',
      'turn_complete t1 cancelled',
    ]);
  });
});
