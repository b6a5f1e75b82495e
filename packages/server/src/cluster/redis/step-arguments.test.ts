import { expect, it } from 'vitest';
import { stepArguments } from './step-arguments.ts';

it('lists values first, then index positions, then the rest', () => {
  const args = stepArguments([
    ['fill', 'turn:t', '{}', '0.5'],
    ['put', 'item:a', '1', '1'],
    ['grow', 'item:b', 'more', ''],
    ['settle', 'item:c', '3', '3'],
    ['drop', 'permission:x', '', ''],
  ]);
  const puts = ['4', 'item:a', '1', 'item:c', '3'];
  const places = ['6', '0.5', 'turn:t', '1', 'item:a', '3', 'item:c'];
  const rest = ['fill', 'turn:t', '{}', 'grow', 'item:b', 'more', 'settle', 'item:c', '', 'drop', 'permission:x', ''];
  expect(args).toEqual([...puts, ...places, ...rest]);
});

it('keeps the last state of a key, also when it was dropped or put again', () => {
  const put = (value: string) => ['put', 'k', value, ''] as const;
  const drop = ['drop', 'k', '', ''] as const;
  expect(stepArguments([put('1'), put('2')])).toEqual(['2', 'k', '2', '0']);
  expect(stepArguments([put('1'), drop])).toEqual(['0', '0', 'drop', 'k', '']);
  expect(stepArguments([drop, put('2')])).toEqual(['2', 'k', '2', '0']);
});

it('accepts any number of steps', () => {
  const steps = Array.from({ length: 200_000 }, (_, place) => ['put', `k${place}`, 'v', String(place)] as const);
  expect(stepArguments(steps)).toHaveLength(2 + 4 * steps.length);
});
