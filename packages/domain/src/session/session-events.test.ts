import type { SessionSummary } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { eventsBetween } from './session-events.ts';
import { at } from './testing/play-session.ts';
import { sessionSummary } from './testing/session-summary.ts';

const session = sessionSummary();
const asks = (requestId: string): SessionSummary => ({
  ...session,
  activity: 'waiting',
  asks: { requestId, kind: 'tool', title: 'ls', options: [], openedAt: at, count: 1 },
});
const ended = (id: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  ...session,
  ended: { id, at },
  ...more,
});
const kinds = (...given: Parameters<typeof eventsBetween>): string[] => eventsBetween(...given).map(({ kind }) => kind);

describe('the events between two states of a session', () => {
  it('report that it was created and removed, but not when an old one is only read', () => {
    expect(eventsBetween(undefined, session, true)).toEqual([
      { kind: 'session-created', sessionId: 's', projectId: 'p', cliType: 'demo', title: 'Title' },
    ]);
    expect(kinds(undefined, ended('t'), false)).toEqual([]);
    expect(kinds(session, undefined, false)).toEqual(['session-removed']);
    expect(kinds(undefined, undefined, false)).toEqual([]);
  });

  it('report the end of each turn once', () => {
    expect(kinds(session, ended('t1'), false)).toEqual(['turn-ended']);
    expect(kinds(ended('t1'), ended('t1', { title: 'Other' }), false)).toEqual([]);
    const lastError = { code: 'MODEL_ERROR', message: 'It broke.', at };
    expect(eventsBetween(ended('t1'), ended('t2', { lastError }), false)).toMatchObject([
      { kind: 'turn-failed', errorCode: 'MODEL_ERROR' },
    ]);
  });

  it('report each request once', () => {
    expect(eventsBetween(session, asks('r1'), false)).toMatchObject([{ kind: 'needs-you', requestId: 'r1' }]);
    expect(kinds(asks('r1'), asks('r1'), false)).toEqual([]);
    expect(kinds(asks('r1'), asks('r2'), false)).toEqual(['needs-you']);
    expect(kinds(asks('r1'), session, false)).toEqual([]);
  });
});
