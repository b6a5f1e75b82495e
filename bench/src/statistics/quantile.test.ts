import { describe, expect, it } from 'vitest';
import { median, noiseOf, quantile } from './quantile.ts';

describe('quantile', () => {
  it('accepts unsorted values and leaves them unchanged', () => {
    const values = [10, 9, 2, 1];
    expect(quantile(values, 0)).toBe(1);
    expect(quantile(values, 1)).toBe(10);
    expect(values).toEqual([10, 9, 2, 1]);
  });

  it('interpolates between the two nearest values', () => {
    expect(quantile([0, 10], 0.25)).toBe(2.5);
    expect(
      quantile(
        Array.from({ length: 101 }, (_, value) => value),
        0.99,
      ),
    ).toBe(99);
  });

  it('is NaN for an empty list', () => {
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('median', () => {
  it('is the middle value, or between the middle two', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});

describe('noiseOf', () => {
  it('is zero if all rounds are equal', () => {
    expect(noiseOf([5, 5, 5])).toBe(0);
  });

  it('is half of the interquartile range, relative to the median', () => {
    expect(noiseOf([80, 90, 100, 110, 120])).toBeCloseTo(0.1);
  });
});
