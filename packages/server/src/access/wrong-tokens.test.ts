import { expect, it } from 'vitest';
import { createWrongTokens } from './wrong-tokens.ts';

function guesser() {
  let time = 0;
  const tokens = createWrongTokens({ now: () => time, burst: 3, everyMs: 100 });
  return { tokens, pass: (milliseconds: number) => (time += milliseconds) };
}

it('stops checking tokens from an address that guesses, until some time has passed', () => {
  const { tokens, pass } = guesser();
  for (const guess of ['a', 'b', 'c']) {
    expect(tokens.mayTry('10.0.0.1')).toBe(true);
    tokens.failed('10.0.0.1', guess);
  }
  expect([tokens.mayTry('10.0.0.1'), tokens.mayTry('10.0.0.2')]).toEqual([false, true]);
  pass(99);
  expect(tokens.mayTry('10.0.0.1')).toBe(false);
  pass(1);
  expect(tokens.mayTry('10.0.0.1')).toBe(true);
  tokens.failed('10.0.0.1', 'd');
  expect(tokens.mayTry('10.0.0.1')).toBe(false);
});

it('doesn’t count the same wrong token twice, so a program with an old token isn’t blocked', () => {
  const { tokens } = guesser();
  for (let count = 0; count < 100; count += 1) tokens.failed('10.0.0.1', 'old');
  expect(tokens.mayTry('10.0.0.1')).toBe(true);
});

it('counts all addresses of one IPv6 network as one', () => {
  const { tokens } = guesser();
  for (const guess of ['a', 'b', 'c']) tokens.failed(`2001:db8:1:2::${guess}`, guess);
  expect([tokens.mayTry('2001:db8:1:2::9'), tokens.mayTry('2001:db8:1:3::9')]).toEqual([false, true]);
});
