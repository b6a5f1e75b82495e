import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCheckpoints } from './checkpoints.ts';

const passive = 'PRAGMA wal_checkpoint(PASSIVE)';

/** Records what is executed. */
function scene(fails = false) {
  const executed: string[] = [];
  const checkpoints = createCheckpoints({
    exec(sql) {
      executed.push(sql);
      if (fails && sql === passive) throw new Error('disk I/O error');
    },
  });
  return { checkpoints, count: () => executed.filter((sql) => sql === passive).length, executed };
}

describe('checkpoints', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('wait for a pause between writes', () => {
    const { checkpoints, count } = scene();
    for (let write = 0; write < 50; write += 1) {
      checkpoints.committed(10);
      vi.advanceTimersByTime(4);
    }
    expect(count()).toBe(0);
    vi.advanceTimersByTime(5);
    expect(count()).toBe(1);
  });

  it('wait until there is enough to copy', () => {
    const { checkpoints, count } = scene();
    checkpoints.committed(49);
    vi.advanceTimersByTime(1_000);
    expect([count(), checkpoints.isDue]).toEqual([0, false]);
    checkpoints.committed(1);
    expect(checkpoints.isDue).toBe(true);
    vi.advanceTimersByTime(5);
    expect([count(), checkpoints.isDue]).toEqual([1, false]);
    vi.advanceTimersByTime(1_000);
    expect(count()).toBe(1);
  });

  it('leave SQLite’s own limit in place, for writes that never pause', () => {
    expect(scene().executed).toEqual(['PRAGMA wal_autocheckpoint = 4000']);
  });

  it('don’t end the thread if one fails, and never run once stopped', () => {
    const { checkpoints, count } = scene(true);
    checkpoints.run();
    expect(count()).toBe(1);
    checkpoints.committed(100);
    checkpoints.stop();
    vi.advanceTimersByTime(1_000);
    expect(count()).toBe(1);
  });
});
