import { describe, expect, it } from 'vitest';
import { candidateEffort, candidateState, type CandidateTurn } from './candidate-state.ts';

const turn = (state: string, part: Partial<CandidateTurn> = {}): CandidateTurn => ({
  state,
  ranMs: null,
  ended: null,
  ...part,
});
const stateOf = (states: string[], part: Partial<Parameters<typeof candidateState>[0]> = {}) =>
  candidateState({ start: 'started', parked: false, asks: false, turns: states.map((state) => turn(state)), ...part });

describe('the state of a candidate', () => {
  it('follows its newest turn once it has started', () => {
    expect(['queued', 'sending', 'running'].map((state) => stateOf(['completed', state]))).toEqual([
      'working',
      'working',
      'working',
    ]);
    expect(['completed', 'cancelled', 'failed', 'unknown'].map((state) => stateOf([state]))).toEqual([
      'done',
      'stopped',
      'failed',
      'failed',
    ]);
    expect(stateOf([])).toBe('stopped');
    expect(stateOf(['withdrawn'])).toBe('stopped');
  });

  it('shows the progress of its start before that, and parked after another one was kept', () => {
    expect(stateOf(['running'], { start: 'starting' })).toBe('starting');
    expect(stateOf([], { start: 'failed' })).toBe('failed');
    expect(stateOf(['completed'], { parked: true })).toBe('parked');
    expect(stateOf(['running'], { asks: true })).toBe('waiting');
  });
});

describe('what a candidate used', () => {
  const ended = (part: object) =>
    ({ type: 'turn_complete', status: 'completed', turnId: 't', sessionId: 's', ...part }) as const;

  it('is the sum over its turns, including the running one up to now', () => {
    const turns = [
      turn('completed', {
        ranMs: 9000,
        ended: ended({ durationMs: 2000, costUsd: 0.25, usage: { inputTokens: 1, outputTokens: 2 } }),
      }),
      turn('completed', {
        ranMs: 3000,
        ended: ended({ costUsd: 0.5, usage: { inputTokens: 10, outputTokens: 20, cacheReadInputTokens: 5 } }),
      }),
      turn('running', { ranMs: 4000 }),
    ];
    expect(candidateEffort(turns)).toEqual({
      durationMs: 2000 + 3000 + 4000,
      costUsd: 0.75,
      usage: { inputTokens: 11, outputTokens: 22, cacheReadInputTokens: 5 },
    });
  });

  it('leaves out values that weren’t reported', () => {
    expect(candidateEffort([turn('queued')])).toEqual({});
    const oneReported = [
      turn('completed', { ended: ended({ durationMs: 5, costUsd: 0.5, usage: { inputTokens: 1, outputTokens: 2 } }) }),
    ];
    expect(candidateEffort(oneReported)).toMatchObject({ durationMs: 5, costUsd: 0.5, usage: { outputTokens: 2 } });
  });
});
