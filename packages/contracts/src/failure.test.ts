import { describe, expect, it } from 'vitest';
import { fail, FailureCode, FailureReply, failures, ok } from './failure.ts';

describe('failures', () => {
  it('has an HTTP status for every code, and rejects unknown codes', () => {
    for (const [code, { http }] of Object.entries(failures)) {
      expect(FailureCode.parse(code)).toBe(code);
      expect(http).toBeGreaterThanOrEqual(400);
    }
    expect(FailureCode.safeParse('TEAPOT').success).toBe(false);
  });

  it('lets only agent failures end a turn', () => {
    const ending = Object.entries(failures).flatMap(([code, { endsTurn }]) => (endsTurn ? [code] : []));
    expect(ending).toEqual([
      'AGENT_NOT_INSTALLED',
      'SESSION_CREATE_FAILED',
      'PROCESS_CRASH',
      'PROTOCOL_ERROR',
      'INTERRUPT_FAILED',
      'AGENT_AUTH_REQUIRED',
      'MODEL_ERROR',
      'RATE_LIMITED',
      'AGENT_UNRESPONSIVE',
    ]);
  });

  it('is a plain value, and the body of every unsuccessful reply', () => {
    expect(ok(1)).toEqual({ ok: true, value: 1 });
    const failure = fail('SESSION_NOT_FOUND', 'No such session');
    expect(failure).toEqual({ ok: false, failure: { code: 'SESSION_NOT_FOUND', message: 'No such session' } });
    expect(FailureReply.safeParse({ error: failure.failure }).success).toBe(true);
    const withDetails = fail('CONFLICT', 'These files changed on both sides.', { files: ['a.ts'] });
    expect(FailureReply.parse({ error: withDetails.failure }).error.details).toEqual({ files: ['a.ts'] });
  });
});
