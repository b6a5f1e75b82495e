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

it('forgets the oldest guesses of someone who guesses slowly, without end', () => {
  const { tokens, pass } = guesser();
  for (const guess of ['first', 'second']) tokens.failed('10.0.0.1', guess);
  for (let count = 0; count < 100; count += 1) {
    pass(100);
    tokens.failed('10.0.0.1', `guess ${count}`);
  }
  expect(tokens.mayTry('10.0.0.1')).toBe(true);
  tokens.failed('10.0.0.1', 'first');
  expect(tokens.mayTry('10.0.0.1')).toBe(false);
});

it.each([
  ['2001:db8:1:2::9', ['2001:db8:1:2::a', '2001:db8:1:2:3:4:5:6', '2001:0DB8:1:2:ffff::'], '2001:db8:1:3::9'],
  ['2001:db8::1', ['2001:db8::2', '2001:db8:0:0:1::', '2001:db8::a:b:c:d'], '2001:db8::1:0:0:0:1'],
  ['fe80::a:b:c:d', ['fe80::1', 'fe80::1%eth0', 'fe80::e:f:0:0%2'], 'fe80:0:0:1::'],
  ['::1', ['::', '::2', '0:0:0:0:5::'], '0:0:0:1::'],
  ['::ffff:10.0.0.1', ['10.0.0.1', '::FFFF:a00:1', '0:0:0:0:0:ffff:10.0.0.1'], '::ffff:10.0.0.2'],
])('counts %s and %j as one network, but not %s', (address, same, other) => {
  const { tokens } = guesser();
  for (const [index, each] of same.entries()) tokens.failed(each, `guess ${index}`);
  expect([tokens.mayTry(address), tokens.mayTry(other)]).toEqual([false, true]);
});
