import { expect, it } from 'vitest';
import { chosenProtocol, secretInProtocols, socketProtocol, socketProtocols } from './page-sign-in.ts';

it('reads the secret from the subprotocols a page offers, and doesn’t echo it', () => {
  const offered = socketProtocols('s3cret');
  expect(secretInProtocols(offered.join(', '))).toBe('s3cret');
  expect(chosenProtocol(offered)).toBe(socketProtocol);
  expect(chosenProtocol([offered[1] ?? ''])).toBe(false);
});

it('answers other clients with the first subprotocol they offer, or none', () => {
  expect([chosenProtocol(['chat', 'other']), chosenProtocol([])]).toEqual(['chat', false]);
  expect(secretInProtocols('chat, other')).toBeUndefined();
  expect(secretInProtocols(socketProtocols(null).join(','))).toBeUndefined();
});
