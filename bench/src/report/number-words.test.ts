import { expect, it } from 'vitest';
import { figure, percent } from './number-words.ts';

it.each([
  [0, '0'],
  [0.01234, '0.0123'],
  [0.5, '0.500'],
  [1.049, '1.05'],
  [42.04, '42.0'],
  [158.3, '158'],
  [1234.5, '1,235'],
  [12_345_678, '12,345,678'],
  [Number.NaN, '–'],
])('writes %s as %s', (value, text) => {
  expect(figure(value)).toBe(text);
});

it('writes noise in whole per cent, and nothing if it is unknown', () => {
  expect(percent(0.034)).toBe('± 3 %');
  expect(percent(Number.NaN)).toBe('');
});
