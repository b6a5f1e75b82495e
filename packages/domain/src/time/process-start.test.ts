import { expect, test } from 'vitest';
import { processStartIn } from './process-start.ts';

test('reads the start of a process whatever its name is', () => {
  const fields = Array.from({ length: 18 }, (_, index) => index);
  expect(processStartIn(`12 (a) 1 (b) S ${fields.join(' ')} 4711 9 9\n`)).toBe(4711);
  expect(['', '12 (sh) S 1 2', 'text'].map(processStartIn)).toEqual([null, null, null]);
});
