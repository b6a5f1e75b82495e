import { describe, expect, it } from 'vitest';
import { layoutRows } from './row-layout.ts';

describe('the layout of rows', () => {
  const sizes: Record<string, number> = { a: 10, b: 30, c: 20 };
  const keys = ['a', 'b', 'c'];
  const layout = layoutRows(
    3,
    (index) => keys[index] ?? '',
    (key) => sizes[key] ?? 0,
  );

  it('places rows one below the other', () => {
    expect([0, 1, 2, 3].map(layout.top)).toEqual([0, 10, 40, 60]);
    expect(layout.total).toBe(60);
  });

  it('finds the row at an offset, also above and below all rows', () => {
    expect([-5, 0, 9, 10, 39, 40, 999].map(layout.at)).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  it('finds a row by its key, and returns -1 for others', () => {
    expect(layout.indexOf('c')).toBe(2);
    expect(layout.indexOf('x')).toBe(-1);
    expect(layoutRows(0, String, () => 1).at(5)).toBe(0);
  });
});
