import { describe, expect, it } from 'vitest';
import { message, thinking, toolCall } from '@liminal/domain/timeline/testing/messages';
import { thoughtMs } from './thought-ms.ts';

const at = (seconds: number): { emittedAt: string } => ({
  emittedAt: new Date(Date.UTC(2025, 0, 1, 0, 0, seconds)).toISOString(),
});

describe('thoughtMs', () => {
  it('counts from the end of the item before it', () => {
    const items = [message('t1:0:0', at(1)), toolCall('t1:1:0', at(4)), thinking('t1:2:0', at(10))];
    expect(thoughtMs(items, 't1:2:0')).toBe(6000);
  });

  it('ignores the items of a subagent', () => {
    const items = [
      message('t1:0:0', at(1)),
      toolCall('t1:1:0', { ...at(8), parentCallId: 'task' }),
      thinking('t1:2:0', at(10)),
    ];
    expect(thoughtMs(items, 't1:2:0')).toBe(9000);
  });

  it('is 0 for the first item, an unknown one, and one recorded out of order', () => {
    const items = [thinking('t1:0:0', at(5)), thinking('t1:1:0', at(3))];
    expect(thoughtMs(items, 't1:0:0')).toBe(0);
    expect(thoughtMs(items, 't1:9:0')).toBe(0);
    expect(thoughtMs(items, 't1:1:0')).toBe(0);
  });
});
