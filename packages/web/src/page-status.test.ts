import { describe, expect, it } from 'vitest';
import { faviconOf, pageTitle } from './page-status.ts';

describe('page status', () => {
  it('starts the title with the sessions that need the user', () => {
    expect(pageTitle('needs-you', 2, 'Fix the test')).toBe('(2) Needs you · Fix the test · Liminal Builder');
    expect(pageTitle('working', 0, 'Fix the test')).toBe('Working · Fix the test · Liminal Builder');
    expect(pageTitle('idle', 0, null)).toBe('Liminal Builder');
  });

  it('has a separate favicon for every status', () => {
    const icons = (['needs-you', 'failed', 'working', 'done', 'idle'] as const).map(faviconOf);
    expect(new Set(icons).size).toBe(5);
  });
});
