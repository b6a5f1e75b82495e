import { expect, it } from 'vitest';
import { parseScript } from './script.ts';
import { stepsOfTry } from './steps.ts';
import { createTryCounter } from './try-counter.ts';

it('ends a fault after the tries it was scripted for', () => {
  const steps = parseScript('@text part\n@drop 1\n@text whole')?.[0] ?? [];
  expect(stepsOfTry(steps, 1).map(({ kind }) => kind)).toEqual(['say', 'drop', 'say']);
  expect(stepsOfTry(steps, 2).map(({ kind }) => kind)).toEqual(['say', 'say']);
});

it('never ends a fault without a number', () => {
  expect(stepsOfTry(parseScript('@drop')?.[0] ?? [], 99)).toHaveLength(1);
});

it('counts the tries of each request and forgets the oldest', () => {
  const counter = createTryCounter(2);
  expect([counter.next('a'), counter.next('a'), counter.next('b')]).toEqual([1, 2, 1]);
  counter.next('c');
  expect(counter.next('a')).toBe(1);
});
