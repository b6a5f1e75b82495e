import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Engine, releaseMemoryWhenIdle } from './idle-memory.ts';

const mega = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('collects once whenever the server has become idle', () => {
  let busy = 0.5;
  const collect = vi.fn<Engine['collect']>();
  releaseMemoryWhenIdle({ busyShare: () => busy, usedBytes: () => 30 * mega, collect });
  vi.advanceTimersByTime(20_000);
  expect(collect).not.toHaveBeenCalled();
  busy = 0.001;
  vi.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledOnce();
  busy = 0.1;
  vi.advanceTimersByTime(5_000);
  busy = 0;
  vi.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(2);
});

it('leaves a large heap alone, because collecting it would take long', () => {
  const collect = vi.fn<Engine['collect']>();
  releaseMemoryWhenIdle({ busyShare: () => 0, usedBytes: () => 200 * mega, collect });
  vi.advanceTimersByTime(60_000);
  expect(collect).not.toHaveBeenCalled();
});
