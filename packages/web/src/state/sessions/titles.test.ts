import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '@liminal/contracts';
import { distinctTitles, titleOf } from './titles.ts';

const session = (title: string, projectId = 'p1'): SessionSummary => ({ title, projectId }) as SessionSummary;
const projects = [
  { projectId: 'p1', dir: '/a/one', name: 'one', trusted: true },
  { projectId: 'p2', dir: '/a/two', name: 'two', trusted: true },
];

describe('titles', () => {
  it('are one line, and "new" until there is a message', () => {
    expect(titleOf(session(' Fix\n the  test '))).toBe('Fix the test');
    expect(titleOf(session(''))).toBe('New session');
    expect(titleOf(undefined)).toBe('New session');
    expect(titleOf(session('turn \u202eround'))).toBe('turn ⟨U+202E⟩round');
  });

  it('are always distinct', () => {
    const shown = (...sessions: SessionSummary[]): string[] =>
      distinctTitles(sessions, projects).map(({ title, mark }) => `${title} ${mark}`.trim());
    expect(shown(session('A'), session('B'))).toEqual(['A', 'B']);
    expect(shown(session('A'), session('A', 'p2'), session('B'))).toEqual(['A one', 'A two', 'B']);
    expect(shown(session(''), session(''))).toEqual(['New session 1', 'New session 2']);
    expect(shown(session('A'), session('A'), session('A', 'p2'))).toEqual(['A one 1', 'A one 2', 'A two']);
  });
});
