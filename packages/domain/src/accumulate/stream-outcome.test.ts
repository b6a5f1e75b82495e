import { describe, expect, it } from 'vitest';
import { readOutcome } from './stream-outcome.ts';

const usage = { inputTokens: 1, outputTokens: 2 };
const error = { code: 'RATE_LIMITED', message: 'Too many requests' };

describe('stream outcome', () => {
  it('passes on completed and cancelled, with their usage', () => {
    expect(readOutcome({ type: 'response_done', status: 'completed', usage })).toEqual({ status: 'completed', usage });
    expect(readOutcome({ type: 'response_done', status: 'cancelled' })).toEqual({ status: 'cancelled' });
  });

  it('uses the error of response_error', () => {
    expect(readOutcome({ type: 'response_error', error })).toEqual({
      status: 'failed',
      errorCode: 'RATE_LIMITED',
      errorMessage: 'Too many requests',
    });
  });

  it('prefers the error of response_done to its finish reason', () => {
    const outcome = readOutcome({ type: 'response_done', status: 'error', finishReason: 'length', error, usage });
    expect(outcome).toEqual({ status: 'failed', errorCode: 'RATE_LIMITED', errorMessage: 'Too many requests', usage });
  });

  it('derives an error from the finish reason, or reports that there was none', () => {
    expect(readOutcome({ type: 'response_done', status: 'error', finishReason: 'content_filter' })).toMatchObject({
      errorCode: 'MODEL_ERROR',
      errorMessage: expect.stringContaining('content_filter'),
    });
    expect(readOutcome({ type: 'response_done', status: 'error' })).toMatchObject({
      errorCode: 'MODEL_ERROR',
      errorMessage: expect.stringContaining('gave no reason'),
    });
  });
});
