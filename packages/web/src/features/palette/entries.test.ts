import type { SearchHit, SessionSummary } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../state/workbench/actions.ts';
import type { Directory } from '../../state/workbench/directory-store.ts';
import { sectionsFor } from './entries.ts';

const session = (sessionId: string, part: object = {}): SessionSummary =>
  ({
    sessionId,
    projectId: 'p',
    title: sessionId,
    activity: 'idle',
    archived: false,
    updatedAt: '2026',
    ...part,
  }) as SessionSummary;
const action = (id: string, isPossible = true): Action => ({ id, title: id, group: 'Page', isPossible, run: () => {} });
const directory = (...sessions: SessionSummary[]): Directory =>
  ({
    projects: [{ projectId: 'p', dir: '/p', name: 'project', trusted: true }],
    sessions: new Map(sessions.map((each) => [each.sessionId, each])),
  }) as unknown as Directory;

const keys = (typed: string, mode: 'all' | 'search', hits: SearchHit[] = []): string[] =>
  sectionsFor({
    typed,
    mode,
    actions: [action('new session'), action('impossible', false)],
    directory: directory(
      session('alpha'),
      session('beta', { activity: 'waiting' }),
      session('old', { archived: true }),
    ),
    hits,
  }).flatMap((section) => section.entries.map((entry) => entry.key));

describe('palette entries', () => {
  it('start with the sessions that need the user, and leave out unavailable actions', () => {
    expect(keys('', 'all')).toEqual(['session:beta', 'session:alpha', 'action:new session']);
  });

  it('match the query, and contain no actions during a text search', () => {
    expect(keys('alp', 'all')).toEqual(['session:alpha']);
    const hit = { sessionId: 'alpha', itemId: 'i', where: 'item' } as SearchHit;
    expect(keys('session', 'search', [hit])).toEqual(['hit:alpha:i']);
  });
});
