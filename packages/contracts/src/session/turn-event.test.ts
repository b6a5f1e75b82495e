import { describe, expect, it } from 'vitest';
import { TurnEvent, TurnRecord, TurnTerminal } from './turn-event.ts';

const base = { turnId: 't1', sessionId: 's1' };
const started = { type: 'turn_started', ...base, modelId: 'unknown', providerId: 'demo' };
const complete = { type: 'turn_complete', ...base, status: 'completed' };
const error = { type: 'turn_error', ...base, errorCode: 'MODEL_ERROR', errorMessage: 'Overloaded' };
const totals = {
  usage: { inputTokens: 1, outputTokens: 2, cacheCreationInputTokens: 3 },
  costUsd: 0.01,
  durationMs: 5,
};

describe('turn events', () => {
  it.each([started, { ...started, initiator: 'agent' }, { ...complete, ...totals }, { ...error, ...totals }])(
    'accepts $type',
    (event) => {
      expect(TurnEvent.parse(event)).toEqual(event);
    },
  );

  it.each([
    ['a start without a model', { ...started, modelId: '' }],
    ['an unknown initiator', { ...started, initiator: 'cron' }],
    ['a failure called complete', { ...complete, status: 'failed' }],
    ['an error without a code', { ...error, errorCode: undefined }],
    ['a fractional token count', { ...complete, usage: { inputTokens: 1.5, outputTokens: 0 } }],
    ['a negative cost', { ...complete, costUsd: -1 }],
    ['an event without its turn', { ...complete, turnId: undefined }],
  ])('rejects %s', (_, event) => {
    expect(TurnEvent.safeParse(event).success).toBe(false);
  });

  it('has two terminal events; a start is not one', () => {
    expect(TurnTerminal.safeParse(complete).success).toBe(true);
    expect(TurnTerminal.safeParse(error).success).toBe(true);
    expect(TurnTerminal.safeParse(started).success).toBe(false);
  });

  it('is stored in a record with the state of the turn', () => {
    const record = { turnId: 't1', state: 'failed', started, ended: error };
    expect(TurnRecord.parse(record)).toEqual(record);
    expect(TurnRecord.safeParse({ ...record, ended: started }).success).toBe(false);
    expect(TurnRecord.safeParse({ ...record, state: 'stopped' }).success).toBe(false);
  });
});
