import { expect, it, vi } from 'vitest';
import { holdYoungGeneration } from './young-generation.ts';

it('lets the young generation grow again once the start has settled', () => {
  vi.useFakeTimers();
  try {
    const flags: string[] = [];
    holdYoungGeneration((flag) => void flags.push(flag));
    vi.advanceTimersByTime(1_999);
    expect(flags).toEqual(['--semi-space-growth-factor=1']);
    vi.advanceTimersByTime(1);
    expect(flags).toEqual(['--semi-space-growth-factor=1', '--semi-space-growth-factor=2']);
  } finally {
    vi.useRealTimers();
  }
});
