import { describe, expect, it } from 'vitest';
import { ClientMessage } from './client-message.ts';

describe('client messages', () => {
  it.each([
    { type: 'session:subscribe', sessionId: 's1' },
    { type: 'session:subscribe', sessionId: 's1', cursor: { epoch: 'e1', seq: 0 }, encoding: 'append' },
    { type: 'session:unsubscribe', sessionId: 's1' },
    { type: 'session:item', sessionId: 's1', itemId: 't1:1:0' },
    { type: 'directory:subscribe' },
    { type: 'ping' },
    { type: 'invoke', id: 1, channel: 'agent:send', args: ['task', 'Hello'] },
  ])('accepts $type', (message) => {
    expect(ClientMessage.parse(message)).toEqual(message);
  });

  it.each([
    ['no session', { type: 'session:subscribe' }],
    ['half a cursor', { type: 'session:subscribe', sessionId: 's1', cursor: { seq: 1 } }],
    ['an unknown encoding', { type: 'session:subscribe', sessionId: 's1', encoding: 'gzip' }],
    ['an item without its id', { type: 'session:item', sessionId: 's1' }],
    ['an unknown type', { type: 'session:delete', sessionId: 's1' }],
    ['no message at all', 'ping'],
  ])('rejects %s', (_, message) => {
    expect(ClientMessage.safeParse(message).success).toBe(false);
  });
});
