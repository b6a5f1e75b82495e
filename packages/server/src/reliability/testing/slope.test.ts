import { describe, expect, it } from 'vitest';
import { isGrowing, slopeOf } from './slope.ts';

const samples = (values: readonly number[]) => values.map((value, minute) => ({ minute, value }));
const swaying = (value: number, minute: number) => value + (minute % 2 === 0 ? 1 : -1);

describe('the slope of samples', () => {
  it('is that of the line they are on, without an error', () => {
    expect(slopeOf(samples([3, 5, 7, 9]))).toEqual({ slope: 2, error: 0 });
    expect(() => slopeOf(samples([1, 2]))).toThrow('no slope');
  });

  it('counts as growth only beyond the noise and the allowed amount', () => {
    const level = samples(Array.from({ length: 20 }, (_, minute) => swaying(50, minute)));
    const rising = samples(Array.from({ length: 20 }, (_, minute) => swaying(50 + minute, minute)));
    expect(isGrowing(slopeOf(level), 20, 0)).toBe(false);
    expect(isGrowing(slopeOf(rising), 20, 0)).toBe(true);
    expect(isGrowing(slopeOf(rising), 20, 30)).toBe(false);
    expect(isGrowing(slopeOf(samples([9, 7, 5, 3])), 4, 0)).toBe(false);
  });
});
