import { type ChangeBody, keyOf } from '@liminal/domain/delivery/change';
import { message, permission, turnStarted } from '@liminal/domain/timeline/testing/messages';
import { expect, it } from 'vitest';
import { redisKeys } from '../redis/redis-keys.ts';
import { lookAtSession } from './read-session.ts';
import { createSessionSteps } from './session-steps.ts';

const at = '2026-01-01T00:00:00.000Z';
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' as const },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' as const },
];
/** Doesn't compile until it has every type. */
const bodies: { readonly [Body in ChangeBody as Body['type']]: Body } = {
  'session:upsert': { type: 'session:upsert', payload: message('t1:1:0', { content: 'Hello' }) },
  'session:turn': { type: 'session:turn', payload: turnStarted('t1') },
  'session:permission': {
    type: 'session:permission',
    payload: { state: 'open', request: { ...permission('r1'), options } },
  },
  'session:status': { type: 'session:status', payload: { state: 'open', activity: 'idle', isAlive: true } },
  'session:queue': { type: 'session:queue', payload: { queue: [] } },
  'session:comments': { type: 'session:comments', payload: { comments: [] } },
  'session:changes': { type: 'session:changes', payload: { at, watching: 'folder' } },
  'session:info': { type: 'session:info', payload: { modelId: 'large' } },
};

it.each(Object.values(bodies))('reads a change as it was written: $type', async (body) => {
  const steps = createSessionSteps().change({ ...body, seq: 1 }, () => undefined, at);
  const recent = ['0', JSON.stringify([[keyOf(body), 1]])];
  const held = steps.map(([, key]) => key);
  const values = steps.flatMap(([, , value]) => [value, '']);
  const script = async () => ['OK', 'e1', '1', '0-1', '0', [], [], recent, held, values];
  const look = await lookAtSession({ keys: redisKeys(), script }, 's', { turns: 1, bytes: 1_000, recent: 1 });
  expect(look?.recent).toEqual([{ seq: 1, body }]);
});
