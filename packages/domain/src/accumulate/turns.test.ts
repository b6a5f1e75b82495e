import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

const identity = { sessionId: 's1', providerId: 'demo' };
const started = { type: 'turn_started', turnId: 't1', sessionId: 's1', modelId: 'unknown', providerId: 'demo' };

describe('turns', () => {
  it('starts a turn once, with its known fields', () => {
    const turns = createTurns(identity);
    const event = { ...started, modelId: 'large', initiator: 'agent' };
    expect(turns.start({ turnId: 't1', modelId: 'large', initiator: 'agent' })).toEqual([{ kind: 'turn', event }]);
    expect(turns.start({ turnId: 't1', modelId: 'small' })).toEqual([]);
  });

  it('starts a turn just before its terminal event if nothing else did, with an unknown model', () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    const turns = createTurns(identity);
    expect(turns.end('t1', { status: 'completed', usage, costUsd: 0.5, durationMs: 9 })).toEqual([
      { kind: 'turn', event: started },
      {
        kind: 'turn',
        event: {
          type: 'turn_complete',
          turnId: 't1',
          sessionId: 's1',
          status: 'completed',
          usage,
          costUsd: 0.5,
          durationMs: 9,
        },
      },
    ]);
  });

  it('ends a turn once and never starts it again', () => {
    const turns = createTurns(identity);
    turns.end('t1', { status: 'cancelled' });
    expect(turns.isOver('t1')).toBe(true);
    expect(turns.end('t1', { status: 'completed' })).toEqual([]);
    expect(turns.start({ turnId: 't1' })).toEqual([]);
  });

  it('reports a failure with turn_error only', () => {
    const turns = createTurns(identity);
    turns.start({ turnId: 't1' });
    expect(turns.end('t1', { status: 'failed', errorCode: 'MODEL_ERROR', errorMessage: 'Overloaded' })).toEqual([
      {
        kind: 'turn',
        event: {
          type: 'turn_error',
          turnId: 't1',
          sessionId: 's1',
          errorCode: 'MODEL_ERROR',
          errorMessage: 'Overloaded',
        },
      },
    ]);
  });
});
