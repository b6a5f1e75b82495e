import { expect, it } from 'vitest';
import { stolenShare, ticksIn } from './stolen.ts';

const stat = (idle: number, stolen: number) => `cpu  10 0 10 ${idle} 0 0 0 ${stolen} 5 5\ncpu0 1 1 1 1 1 1 1 1 0 0\n`;

it('reports the CPU steal between two readings', () => {
  expect(ticksIn(stat(70, 10))).toEqual({ stolen: 10, all: 100 });
  expect(stolenShare(ticksIn(stat(70, 10)), ticksIn(stat(145, 35)))).toBe(0.25);
});

it('reports nothing if the system doesn’t count it', () => {
  expect(ticksIn('cpu  1 2 3\n')).toBeNull();
  expect(stolenShare(null, ticksIn(stat(1, 1)))).toBeNull();
  expect(stolenShare(ticksIn(stat(1, 1)), ticksIn(stat(1, 1)))).toBeNull();
});
