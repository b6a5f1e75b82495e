import { expect, it } from 'vitest';
import { createAccess } from './create-access.ts';

const originsAt = (port: number) =>
  createAccess({ token: () => 'a-token-of-enough-length', host: '127.0.0.1', port: () => port }).origins;

it('accepts its own address without a port on port 80, as browsers write it', () => {
  const { answersTo, isOwn } = originsAt(80);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', 'localhost:80']) expect(answersTo(host)).toBe(true);
  expect([isOwn('http://127.0.0.1'), isOwn('http://localhost:80')]).toEqual([true, true]);
  expect(['example.org', 'localhost:4747'].some(answersTo)).toBe(false);
});

it('accepts its own address only with its port on any other', () => {
  const { answersTo, isOwn } = originsAt(4747);
  expect([answersTo('localhost:4747'), answersTo('localhost'), isOwn('http://localhost')]).toEqual([
    true,
    false,
    false,
  ]);
});
