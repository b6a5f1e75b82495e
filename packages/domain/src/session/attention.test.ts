import type { SessionSummary } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { attentionKey, attentionOf, failedTurnOf, loudestOf, outsideTurn } from './attention.ts';
import { inboxOf, inboxSectionOf, isSnoozed, sinceOf } from './inbox.ts';
import { at } from './testing/play-session.ts';
import { sessionSummary as session } from './testing/session-summary.ts';

const lastError = { code: 'X', message: 'It broke.', at };
const ended = { id: 't1', at };
const now = at;

describe('attention', () => {
  it('ranks by what matters most to the user', () => {
    const unseen = { lastError, ended };
    const node = { nodeId: 'n', name: 'attic', presence: 'gone' as const };
    expect(attentionOf(session({ ...unseen, activity: 'waiting', node }))).toEqual({
      kind: 'unknown',
      machine: 'attic',
    });
    expect(attentionOf(session({ ...unseen, activity: 'waiting' })).kind).toBe('needs-you');
    expect(attentionOf(session({ ...unseen, activity: 'working' })).kind).toBe('working');
    expect(attentionOf(session(unseen))).toEqual({ kind: 'failed', message: 'It broke.', at, isSeen: false });
    expect(attentionOf(session({ ended })).kind).toBe('done');
    expect(attentionOf(session({ ended, marks: { seen: 't1' } })).kind).toBe('idle');
    expect(attentionOf(session({ ended, marks: { seen: 't1', unread: true } })).kind).toBe('done');
    expect(attentionOf(session({ activity: 'asleep' })).kind).toBe('paused');
    expect(attentionOf(session({ status: 'dead' })).kind).toBe('idle');
  });

  it('reports the most urgent of several sessions, ignoring failures that were already seen', () => {
    const of = (...parts: Partial<SessionSummary>[]) => loudestOf(parts.map((part) => attentionOf(session(part))));
    expect(of({ activity: 'asleep' }, { activity: 'working' }, { activity: 'waiting' })).toBe('needs-you');
    expect(of({ lastError, ended }, { activity: 'working' })).toBe('failed');
    expect(of({ lastError, ended, marks: { seen: 't1' } }, { activity: 'working' })).toBe('working');
    expect(of({ activity: 'asleep' })).toBe('idle');
  });
});

it('knows the failed turn, whose message can be sent again, unless the failure was outside of any', () => {
  expect(failedTurnOf({ lastError, ended })).toBe('t1');
  expect(failedTurnOf({ lastError, ended: { id: outsideTurn(at), at } })).toBeNull();
  expect(failedTurnOf({ ended })).toBeNull();
});

describe('inbox', () => {
  it('has a section for each kind of attention, and none for idle sessions', () => {
    expect(inboxSectionOf(session({ activity: 'waiting' }), now)).toBe('needs-you');
    expect(inboxSectionOf(session({ lastError, ended }), now)).toBe('failed');
    expect(inboxSectionOf(session({ lastError, ended, marks: { seen: 't1' } }), now)).toBeNull();
    expect(inboxSectionOf(session({ ended }), now)).toBe('done');
    expect(inboxSectionOf(session({ activity: 'working' }), now)).toBe('working');
    expect(inboxSectionOf(session(), now)).toBeNull();
    expect(inboxSectionOf(session({ marks: { pinned: true } }), now)).toBe('pinned');
    expect(inboxSectionOf(session({ activity: 'waiting', archived: true }), now)).toBeNull();
  });

  it('IN-3: keeps a session of an unreachable machine if it might need the user', () => {
    const node = { nodeId: 'n', name: 'attic', presence: 'unseen' as const };
    expect(inboxSectionOf(session({ node, working: { since: at } }), now)).toBe('unknown');
    expect(inboxSectionOf(session({ node }), now)).toBeNull();
  });

  it('leaves out snoozed sessions until their time comes or they change', () => {
    const later = '2026-01-01T01:00:00.000Z';
    const timed = session({ activity: 'waiting', marks: { snoozed: { until: later, key: '' } } });
    expect(inboxSectionOf(timed, now)).toBeNull();
    expect(inboxSectionOf(timed, later)).toBe('needs-you');
    const done = session({ ended });
    const snoozed = { ...done, marks: { snoozed: { until: null, key: attentionKey(done) } } };
    expect(isSnoozed(snoozed, now)).toBe(true);
    expect(isSnoozed({ ...snoozed, activity: 'working' }, now)).toBe(false);
    expect(isSnoozed({ ...snoozed, ended: { id: 't2', at } }, now)).toBe(false);
  });

  it('lists pinned sessions first, then the newest', () => {
    const done = (sessionId: string, time: string, part: Partial<SessionSummary> = {}): SessionSummary =>
      session({ sessionId, ended: { id: 't', at: time }, ...part });
    const listed = inboxOf(
      [
        done('old', '2026-01-01T00:00:00.000Z'),
        done('new', '2026-01-02T00:00:00.000Z'),
        done('pinned', '2025-01-01T00:00:00.000Z', { marks: { pinned: true } }),
      ],
      now,
    );
    expect(listed.get('done')?.map(({ sessionId }) => sessionId)).toEqual(['pinned', 'new', 'old']);
  });

  it('knows since when a session has been waiting, working or ended', () => {
    const [asked, begun, over] = [1, 2, 3].map((day) => `2026-02-0${day}T00:00:00.000Z`) as [string, string, string];
    const part = { working: { since: begun }, ended: { id: 't', at: over } };
    const asks = { requestId: 'r', kind: 'tool', title: 'ls', options: [], openedAt: asked, count: 1 } as const;
    expect(sinceOf(session({ ...part, activity: 'waiting', asks: { ...asks, options: [] } }))).toBe(asked);
    expect(sinceOf(session({ ...part, activity: 'working' }))).toBe(begun);
    expect(sinceOf(session(part))).toBe(over);
    expect(sinceOf(session({ ...part, lastError: { ...lastError, at } }))).toBe(at);
    expect(sinceOf(session({ activity: 'working' }))).toBe(at);
  });
});
