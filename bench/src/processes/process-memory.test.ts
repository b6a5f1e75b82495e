import { expect, it } from 'vitest';
import { parseRollup } from './process-memory.ts';

it('reads resident and private memory', () => {
  const text = 'Rss:   2048 kB\nPss:  1536 kB\nPrivate_Clean:   512 kB\nPrivate_Dirty:   512 kB\n';
  expect(parseRollup(text)).toEqual({ rss: 2, share: 1.5, own: 1 });
});

it('has no number for a missing value', () => {
  expect(parseRollup('')).toEqual({ rss: Number.NaN, share: Number.NaN, own: Number.NaN });
});
