import { describe, expect, it } from 'vitest';
import { ServerMessage, SessionMessage } from './server-message.ts';

const stamp = { sessionId: 's1', epoch: 'e1', seq: 4 };
const status = { state: 'open', activity: 'idle', isAlive: true };
const upsert = {
  type: 'message',
  turnId: 't1',
  sessionId: 's1',
  itemId: 't1:1:0',
  sourceTimestamp: '2025-01-01T00:00:00.000Z',
  emittedAt: '2025-01-01T00:00:00.000Z',
  status: 'create',
  content: 'Hello',
  origin: 'agent',
};
const turn = { type: 'turn_complete', turnId: 't1', sessionId: 's1', status: 'cancelled' };
const append = { itemId: 't1:1:0', offset: 5, text: ' there' };
const history = {
  type: 'session:history',
  ...stamp,
  entries: [upsert],
  turns: [{ turnId: 't1', state: 'cancelled', ended: turn }],
  hasMore: false,
  permissions: [],
  queue: [{ turnId: 't2', content: 'Next', createdAt: '2025-01-01T00:00:00.000Z' }],
  status,
  info: {},
};

const messages = [
  history,
  { ...history, entries: [], turns: [], queue: [] },
  { type: 'session:upsert', ...stamp, payload: upsert },
  { type: 'session:turn', ...stamp, payload: turn },
  { type: 'session:append', ...stamp, payload: append },
  {
    type: 'session:append',
    ...stamp,
    payload: { ...append, text: '', status: 'error', errorCode: 'X', errorMessage: 'x' },
  },
  { type: 'session:status', ...stamp, payload: status },
  { type: 'session:queue', ...stamp, payload: { queue: [] } },
  { type: 'session:info', ...stamp, payload: { title: 'A title' } },
  { type: 'session:resumed', ...stamp, verdict: 'gap' },
];

describe('server messages', () => {
  it.each(messages)('accepts $type', (message) => {
    expect(ServerMessage.parse(message)).toEqual(message);
  });

  it.each(messages)('rejects $type without the epoch a reader needs to resume', ({ epoch: _epoch, ...message }) => {
    expect(SessionMessage.safeParse(message).success).toBe(false);
    expect(SessionMessage.safeParse({ ...message, epoch: 'e1', seq: -1 }).success).toBe(false);
  });

  it.each([
    ['an append before the beginning', { type: 'session:append', ...stamp, payload: { ...append, offset: -1 } }],
    ['an append without text', { type: 'session:append', ...stamp, payload: { itemId: 'i', offset: 0 } }],
    ['an unknown verdict', { type: 'session:resumed', ...stamp, verdict: 'maybe' }],
    ['a history without its status', { ...history, status: undefined }],
    ['an upsert of an unknown type', { type: 'session:upsert', ...stamp, payload: { ...upsert, type: 'note' } }],
    ['a message of an unknown family', { type: 'acp:update', ...stamp, payload: {} }],
  ])('rejects %s', (_, message) => {
    expect(ServerMessage.safeParse(message).success).toBe(false);
  });

  it('needs no session id in answer to a ping or an invalid message', () => {
    expect(ServerMessage.parse({ type: 'pong' })).toEqual({ type: 'pong' });
    const error = { type: 'error', code: 'INVALID_REQUEST', message: 'Not a message' };
    expect(ServerMessage.parse(error)).toEqual(error);
  });
});
