import { expect, it } from 'vitest';
import { createSeal } from './seal.ts';

it('verifies only what it signed', () => {
  const [seal, same, other] = ['one secret', 'one secret', 'another'].map(createSeal);
  const signature = seal!.sign('command', 'a', 'bc');
  expect(same!.holds(signature, 'command', 'a', 'bc')).toBe(true);
  for (const wrong of [
    ['command', 'ab', 'c'],
    ['reply', 'a', 'bc'],
    ['command', 'a', 'bc', ''],
  ]) {
    expect(seal!.holds(signature, ...wrong)).toBe(false);
  }
  expect([other!.holds(signature, 'command', 'a', 'bc'), seal!.holds('', 'command'), seal!.holds('%', 'x')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(seal!.proof).toBe(same!.proof);
  expect(
    new Set([seal!.proof, other!.proof, seal!.tokenMark('t'), other!.tokenMark('t'), seal!.tokenMark('u')]).size,
  ).toBe(5);
});
