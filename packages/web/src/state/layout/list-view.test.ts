import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '@liminal/contracts';
import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { placeSession, sortSessions, type ListView } from './list-view.ts';

const session = (sessionId: string, part: Partial<SessionSummary> = {}): SessionSummary =>
  sessionSummary({ sessionId, title: sessionId, ...part });
const view = (part: Partial<ListView>): ListView => ({ sort: 'recent', group: 'project', order: [], ...part });
const ids = (sessions: readonly SessionSummary[]): string[] => sessions.map(({ sessionId }) => sessionId);

describe('the order of the list', () => {
  const listed = [session('c'), session('a', { activity: 'waiting' }), session('b', { activity: 'working' })];

  it('is by time, by urgency, or by title', () => {
    expect(ids(sortSessions(listed, view({ sort: 'recent' })))).toEqual(['c', 'a', 'b']);
    expect(ids(sortSessions(listed, view({ sort: 'status' })))).toEqual(['a', 'b', 'c']);
    expect(ids(sortSessions(listed, view({ sort: 'title' })))).toEqual(['a', 'b', 'c']);
  });

  it('becomes custom when the user moves a session, and new ones come first', () => {
    const moved = placeSession(view({}), ['c', 'a', 'b'], 'c', 2);
    expect(ids(sortSessions(listed, moved))).toEqual(['a', 'b', 'c']);
    expect(ids(sortSessions([session('new'), ...listed], moved))).toEqual(['new', 'a', 'b', 'c']);
  });

  it('keeps the positions of sessions in other lists', () => {
    const moved = placeSession(view({ sort: 'own', order: ['x', 'y'] }), ['a', 'b'], 'b', 0);
    expect(moved.order).toEqual(['b', 'a', 'x', 'y']);
  });
});
