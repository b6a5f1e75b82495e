import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatBytes,
  formatCost,
  formatCount,
  formatDuration,
  formatElapsed,
  formatUntil,
  formatWindow,
} from './format.ts';

describe('format', () => {
  it.each([
    [820, '820 ms'],
    [3200, '3.2 s'],
    [9960, '10 s'],
    [34_000, '34 s'],
    [60_000, '1 min'],
    [125_000, '2 min 5 s'],
    [3_840_000, '1 h 4 min'],
  ])('formats a duration of %i ms', (milliseconds, words) => expect(formatDuration(milliseconds)).toBe(words));

  it.each([
    [999, '999'],
    [1000, '1k'],
    [12_400, '12.4k'],
    [1_300_000, '1.3M'],
  ])('formats a count of %i', (count, words) => expect(formatCount(count)).toBe(words));

  it('formats a size', () => {
    expect([820, 12_400, 1_300_000].map(formatBytes)).toEqual(['820 B', '12 KB', '1.3 MB']);
  });

  it('doesn’t show a small cost as free', () => {
    expect(formatCost(0.004)).toBe('$0.004');
    expect(formatCost(0.041)).toBe('$0.04');
  });

  it('counts elapsed time in whole seconds', () => {
    expect(formatElapsed(900)).toBe('0 s');
    expect(formatElapsed(61_900)).toBe('1 min 1 s');
  });

  it('formats how long ago, and the date if it is long', () => {
    const now = Date.parse('2026-11-15T12:00:00Z');
    expect(formatAgo('2026-11-15T11:59:40Z', now)).toBe('now');
    expect(formatAgo('2026-11-15T09:00:00Z', now)).toBe('3 h');
    expect(formatAgo('2026-01-02T09:00:00Z', now)).toMatch(/^(2 Jan|Jan 2)$/);
    expect(formatAgo('2024-03-02T09:00:00Z', now)).toMatch(/Mar.*2024/);
    expect(formatAgo('nonsense', now)).toBe('');
  });

  it.each([
    [300, '5-hour'],
    [1440, 'Daily'],
    [10_080, 'Weekly'],
    [43_200, '30-day'],
    [15, '15-minute'],
  ])('formats a window of %i minutes', (minutes, words) => expect(formatWindow(minutes)).toBe(words));

  it.each([
    ['2026-01-01T00:40:00Z', 'in 40 min'],
    ['2026-01-01T02:00:00Z', 'in 2 h'],
    ['2026-01-05T00:00:00Z', 'in 4 d'],
    ['2025-12-31T00:00:00Z', 'now'],
  ])('formats when %s is', (iso, words) => expect(formatUntil(iso, Date.parse('2026-01-01T00:00:00Z'))).toBe(words));
});
