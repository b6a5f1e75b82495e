import type { SessionInfo } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throttleInfo } from './throttle-info.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const used = (tokens: number): SessionInfo => ({ title: 'A', turnUsage: { inputTokens: 1, outputTokens: tokens } });

function throttled(first: SessionInfo = { title: 'A' }) {
  const published: SessionInfo[] = [];
  const made = throttleInfo({
    published: first,
    publish: (info) => published.push(info),
    post: (task) => task(),
  });
  return { ...made, published };
}

describe('throttled session info', () => {
  it('publishes running numbers once a second, and the last of them at the end', () => {
    const { put, published } = throttled();
    for (let tokens = 1; tokens <= 500; tokens += 1) {
      put(used(tokens));
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(2000);
    expect(published).toHaveLength(6);
    expect(published.at(-1)).toEqual(used(500));
  });

  it('publishes anything but numbers immediately, with the newest numbers', () => {
    const { put, published } = throttled();
    put(used(1));
    put(used(2));
    put({ ...used(3), modelId: 'm2' });
    expect(published).toEqual([used(1), { ...used(3), modelId: 'm2' }]);
    vi.advanceTimersByTime(5000);
    expect(published).toHaveLength(2);
  });

  it('does not repeat what readers already have', () => {
    const { put, published } = throttled(used(1));
    put(used(1));
    put(used(2));
    put(used(3));
    put(used(2));
    vi.advanceTimersByTime(5000);
    expect(published).toEqual([used(2)]);
  });

  it('publishes the final numbers of a turn without waiting, and nothing once it is stopped', () => {
    const { put, flush, stop, published } = throttled();
    put(used(1));
    put(used(2));
    flush();
    expect(published).toEqual([used(1), used(2)]);
    put(used(3));
    stop();
    vi.advanceTimersByTime(5000);
    expect(published).toHaveLength(2);
  });
});
