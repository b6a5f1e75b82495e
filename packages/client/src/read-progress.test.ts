import type { SessionMessage } from '@liminal/contracts';
import * as made from '@liminal/domain/timeline/testing/messages';
import { describe, expect, it } from 'vitest';
import { readMessage } from './read-message.ts';
import { readProgress } from './read-progress.ts';

const stamp = { sessionId: 's', epoch: 'e', seq: 7 };
const status = { state: 'dead' as const, activity: 'idle' as const, isAlive: false };
const queue = [{ turnId: 't2', content: 'next', createdAt: '2026-01-01T00:00:00.000Z' }];
const failed = {
  type: 'turn_error' as const,
  turnId: 't1',
  sessionId: 's',
  errorCode: 'PROCESS_CRASH',
  errorMessage: 'The agent ended.',
};
const request = {
  ...made.permission('r'),
  options: [
    { optionId: 'a', name: 'Allow', kind: 'allow_once' as const },
    { optionId: 'b', name: 'Refuse', kind: 'reject_once' as const },
  ],
};
/** Every kind of message that affects a session's progress. */
const messages: readonly SessionMessage[] = [
  made.historyMessage(1, {
    entries: [made.message('t1:1:0'), made.toolCall('t1:1:1'), made.plan('t1:1:2')],
    turns: [{ turnId: 't1', state: 'failed', ended: failed }],
    permissions: [request],
    queue,
    status: { ...status, lastError: { code: 'X', message: 'gone', at: '2026-01-01T00:00:00.000Z' } },
  }),
  made.upsertMessage(2, made.message('t1:1:0')),
  made.appendMessage(3, { itemId: 't1:1:0', offset: 0, text: 'x' }),
  made.turnMessage(4, made.turnStarted()),
  made.turnMessage(5, made.turnComplete()),
  made.turnMessage(6, failed),
  made.permissionMessage(7, { state: 'open', request: request }),
  made.resumedMessage(8, 'gap'),
  { type: 'session:status', ...stamp, payload: status },
  { type: 'session:queue', ...stamp, payload: { queue } },
];
const both = (value: unknown) => {
  const text = JSON.stringify(value);
  return { light: readProgress(text), whole: readMessage(text) };
};

describe('reading the progress of a session', () => {
  it.each(messages)('reads a $type as the schemas do', (message) => {
    const { light, whole } = both(message);
    expect(whole).not.toBeNull();
    expect(light).toEqual(whole);
  });

  it.each(messages)('ignores a $type with a missing part or a wrong type', (message) => {
    for (const name of ['sessionId', 'epoch', 'seq', 'payload', 'turns', 'permissions', 'queue', 'status', 'verdict']) {
      if (!(name in message)) continue;
      expect(readProgress(JSON.stringify({ ...message, [name]: undefined })), `without ${name}`).toBeNull();
      expect(readProgress(JSON.stringify({ ...message, [name]: [7] })), `wrong ${name}`).toBeNull();
    }
  });

  it('reads errors and pongs, and ignores messages that don’t affect the progress', () => {
    const error = { type: 'error', code: 'SESSION_NOT_FOUND', message: 'No such session.' };
    for (const each of [error, { type: 'pong' }]) expect(both(each).light).toEqual(both(each).whole);
    for (const text of ['{"type":"session:info"}', '{"type":"error"}', '[]', 'x', '{"type":"new:kind"}'])
      expect(readProgress(text), text).toBeNull();
    expect(readProgress(new ArrayBuffer(1))).toBeNull();
  });
});
