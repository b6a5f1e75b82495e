import { expect, it, vi } from 'vitest';
import { holdYoungGeneration } from './young-generation.ts';

it('lets the young generation grow again once the start has settled', () => {
  vi.useFakeTimers();
  try {
    const flags: string[] = [];
    const held = holdYoungGeneration((flag) => void flags.push(flag));
    vi.advanceTimersByTime(60_000);
    expect(flags).toEqual(['--semi-space-growth-factor=1']);
    held.release();
    expect(flags).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    expect(flags).toEqual(['--semi-space-growth-factor=1', '--semi-space-growth-factor=2']);
  } finally {
    vi.useRealTimers();
  }
});
