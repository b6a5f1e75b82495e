import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecordWait } from './record-wait.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('waiting for a folder to be recorded', () => {
  it('ends when the folder is recorded, or some time after the first wait', async () => {
    const recorded = createRecordWait(2_000);
    const ready = recorded.ready();
    recorded.end();
    await ready;
    expect(recorded.isOver).toBe(true);
    const late = createRecordWait(2_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(late.isOver).toBe(false);
    const waited = late.ready();
    await vi.advanceTimersByTimeAsync(2_000);
    await waited;
    expect(late.isOver).toBe(true);
  });

  it('gives the agent a head start unless the record is needed', async () => {
    const waiting = createRecordWait(2_000);
    let isOver = false;
    void waiting.agentFirst().then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver).toBe(false);
    waiting.hurry();
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver).toBe(true);
  });
});
