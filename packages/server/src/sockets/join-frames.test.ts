import { describe, expect, it } from 'vitest';
import { joinFrames, type WaitingFrame } from './join-frames.ts';

const frame = (length: number, mark: number, done?: () => void): WaitingFrame => ({
  bytes: Buffer.alloc(length, mark),
  done,
});
const lengths = (frames: readonly WaitingFrame[]) => frames.map(({ bytes }) => bytes.length);

describe('frames that leave together', () => {
  it('are joined in order, up to 64 KiB', () => {
    const frames = Array.from({ length: 5 }, (_, mark) => frame(20_000, mark));
    const joined = joinFrames(frames);
    expect(lengths(joined)).toEqual([60_000, 40_000]);
    const together = (all: readonly WaitingFrame[]) => Buffer.concat(all.map(({ bytes }) => bytes));
    expect(together(joined).equals(together(frames))).toBe(true);
  });

  it('are passed on as they are if one is long or alone', () => {
    const [short, long, last] = [frame(10, 1), frame(200_000, 2), frame(10, 3)];
    const joined = joinFrames([short, long, last]);
    expect(joined).toEqual([short, long, last]);
    expect(joined[1]?.bytes).toBe(long.bytes);
    expect(joinFrames([])).toEqual([]);
  });

  it('tell everyone who waits for one of them', () => {
    const told: number[] = [];
    const frames = [frame(1, 0, () => told.push(0)), frame(1, 1), frame(1, 2, () => told.push(2))];
    const [joined, ...more] = joinFrames(frames);
    expect(more).toEqual([]);
    joined?.done?.();
    expect(told).toEqual([0, 2]);
    expect(joinFrames([frame(1, 0), frame(1, 1)])[0]?.done).toBeUndefined();
  });
});
