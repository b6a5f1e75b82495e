import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '@liminal/contracts';
import { placeSession, sortSessions, type ListView } from './list-view.ts';

const session = (sessionId: string, part: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId,
  cliType: 'demo',
  projectId: 'p',
  title: sessionId,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  status: 'open',
  activity: 'idle',
  isAlive: true,
  archived: false,
  ...part,
});
const view = (part: Partial<ListView>): ListView => ({ sort: 'recent', group: 'project', order: [], ...part });
const ids = (sessions: readonly SessionSummary[]): string[] => sessions.map(({ sessionId }) => sessionId);

describe('the order of the list', () => {
  const listed = [session('c'), session('a', { activity: 'waiting' }), session('b', { activity: 'working' })];

  it('is by time, by what needs the person, or by title', () => {
    expect(ids(sortSessions(listed, view({ sort: 'recent' })))).toEqual(['c', 'a', 'b']);
    expect(ids(sortSessions(listed, view({ sort: 'status' })))).toEqual(['a', 'b', 'c']);
    expect(ids(sortSessions(listed, view({ sort: 'title' })))).toEqual(['a', 'b', 'c']);
  });

  it('becomes the person’s own when they move a session, and new ones stand first in it', () => {
    const moved = placeSession(view({}), ['c', 'a', 'b'], 'c', 2);
    expect(ids(sortSessions(listed, moved))).toEqual(['a', 'b', 'c']);
    expect(ids(sortSessions([session('new'), ...listed], moved))).toEqual(['new', 'a', 'b', 'c']);
  });

  it('keeps the places of sessions in other lists', () => {
    const moved = placeSession(view({ sort: 'own', order: ['x', 'y'] }), ['a', 'b'], 'b', 0);
    expect(moved.order).toEqual(['b', 'a', 'x', 'y']);
  });
});
