import { describe, expect, it } from 'vitest';
import { faviconOf, pageTitle } from './page-sign.ts';

describe('page sign', () => {
  it('says first that someone waits', () => {
    expect(pageTitle('waiting', 2, 'Fix the test')).toBe('(2) Waiting for you · Fix the test · Liminal Builder');
    expect(pageTitle('working', 0, 'Fix the test')).toBe('Working · Fix the test · Liminal Builder');
    expect(pageTitle('quiet', 0, null)).toBe('Liminal Builder');
  });

  it('has a favicon of its own for every sign', () => {
    const icons = (['waiting', 'failed', 'working', 'unread', 'quiet'] as const).map(faviconOf);
    expect(new Set(icons).size).toBe(5);
  });
});
