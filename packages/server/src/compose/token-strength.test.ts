import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { weaknessOf } from './token-strength.ts';

it.each([
  ['short', 'too short'],
  ['x'.repeat(20), 'too few distinct'],
  ['abcabcabcabcabcabc', 'too few distinct'],
  ['correct horse battery staple', 'spaces'],
  ['tab\tin-the-middle-of-it', 'spaces'],
  ['pässwörter-sind-so-eine-sache', 'other characters'],
  ['password1password1', 'repeats'],
  ['1234567890123456', 'repeats'],
  ['abcdefghijklmnopqrst', 'pattern'],
])('rejects %j', (token, reason) => {
  expect(weaknessOf(token)).toContain(reason);
});

it('takes random tokens, in every usual way of writing them', () => {
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    for (let count = 0; count < 200; count += 1) expect(weaknessOf(randomBytes(24).toString(encoding))).toBeNull();
  }
  expect(weaknessOf('given-by-the-person-1234')).toBeNull();
});
