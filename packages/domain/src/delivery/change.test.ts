import type { MessageUpsert, PermissionRequest } from '@liminal/contracts';
import { expect, test } from 'vitest';
import { type ChangeBody, keyOf, whole } from './change.ts';

const at = '2026-01-01T00:00:00.000Z';
const message: MessageUpsert = {
  type: 'message',
  turnId: 't',
  sessionId: 's',
  itemId: 't:1:0',
  sourceTimestamp: at,
  emittedAt: at,
  status: 'update',
  content: 'hello',
  origin: 'agent',
};
const request: PermissionRequest = {
  requestId: 'r',
  turnId: 't',
  kind: 'tool',
  title: 'Run',
  options: [],
  openedAt: at,
};
const turn = { turnId: 't', sessionId: 's' };

test.each<[string, ChangeBody]>([
  ['item:t:1:0', { type: 'session:upsert', payload: message }],
  [
    'turn:t:start',
    { type: 'session:turn', payload: { type: 'turn_started', ...turn, modelId: 'demo', providerId: 'demo' } },
  ],
  ['turn:t:end', { type: 'session:turn', payload: { type: 'turn_complete', ...turn, status: 'completed' } }],
  ['turn:t:end', { type: 'session:turn', payload: { type: 'turn_error', ...turn, errorCode: 'X', errorMessage: '' } }],
  ['permission:r', { type: 'session:permission', payload: { state: 'open', request } }],
  ['queue', { type: 'session:queue', payload: { queue: [] } }],
  ['status', { type: 'session:status', payload: { state: 'open', activity: 'idle', isAlive: true } }],
  ['info', { type: 'session:info', payload: {} }],
])('has a key for everything a reader holds: %s', (key, body) => {
  expect(keyOf(body)).toBe(key);
});

test('leaves out the appended text when a state is sent in full', () => {
  expect(whole({ type: 'session:upsert', payload: message, appended: { appendedFrom: 3, text: 'lo' } })).toEqual({
    type: 'session:upsert',
    payload: message,
  });
});
