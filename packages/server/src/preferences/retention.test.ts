import { type TidyLimits, usualRetention } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { retentionKey, startRetentionTimer, storedRetention, tidyLimits } from './retention.ts';

const now = Date.parse('2026-07-01T12:00:00.000Z');
const dayMs = 24 * 60 * 60 * 1000;

describe('the retention time', () => {
  it('has a default until the user changes it', async () => {
    const store = createMemoryStore();
    expect(storedRetention(store)).toEqual(usualRetention);
    const value = { outputDays: 7, decisionDays: 0 };
    await store.write([{ type: 'put-setting', key: retentionKey, value }]);
    expect(storedRetention(store)).toEqual(value);
  });

  it('is forever when the setting can’t be read', async () => {
    const store = createMemoryStore();
    await store.write([{ type: 'put-setting', key: retentionKey, value: { outputDays: 'a week' } }]);
    expect(tidyLimits(storedRetention(store), now)).toEqual({ outputsBefore: null, decisionsBefore: null });
  });

  it('counts days back from now, and 0 means forever', () => {
    expect(tidyLimits({ outputDays: 1, decisionDays: 0 }, now)).toEqual({
      outputsBefore: '2026-06-30T12:00:00.000Z',
      decisionsBefore: null,
    });
    expect(tidyLimits({ outputDays: 0, decisionDays: 30 }, now)).toEqual({
      outputsBefore: null,
      decisionsBefore: '2026-06-01T12:00:00.000Z',
    });
  });
});

describe('the retention timer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const setup = (answer: () => Promise<{ outputs: number; decisions: number }>) => {
    const memory = createMemoryStore();
    const asked: TidyLimits[] = [];
    const [onTidied, onError] = [vi.fn(), vi.fn()];
    const tidy = async (limits: TidyLimits) => {
      asked.push(limits);
      return answer();
    };
    const timer = startRetentionTimer({ store: { ...memory, tidy }, now: Date.now, onTidied, onError });
    return { memory, asked, onTidied, onError, timer };
  };
  const tidied = { outputs: 2, decisions: 1 };

  it('tidies once after the start and then every day, by the current setting', async () => {
    const { memory, asked, onTidied, timer } = setup(async () => tidied);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(dayMs - 1);
    expect(asked).toHaveLength(1);
    expect(onTidied).toHaveBeenCalledWith(tidied);
    await memory.write([{ type: 'put-setting', key: retentionKey, value: { outputDays: 1, decisionDays: 0 } }]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked[1]).toEqual({ outputsBefore: '2026-07-01T12:00:00.000Z', decisionsBefore: null });
    timer.stop();
    await vi.advanceTimersByTimeAsync(3 * dayMs);
    expect(asked).toHaveLength(2);
  });

  it('starts no second run while one is running, and continues after a failed one', async () => {
    const first = Promise.withResolvers<typeof tidied>();
    const { asked, onError, timer } = setup(() => first.promise);
    await vi.advanceTimersByTimeAsync(2 * dayMs);
    expect(asked).toHaveLength(1);
    const error = new Error('disk full');
    first.reject(error);
    await vi.advanceTimersByTimeAsync(dayMs);
    expect(onError).toHaveBeenCalledWith(error);
    expect(asked).toHaveLength(2);
    timer.stop();
  });
});
