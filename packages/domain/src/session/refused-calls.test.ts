import type { PermissionRequest } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { toolCall } from '../timeline/testing/messages.ts';
import { evolve } from './evolve.ts';
import { withRefusal } from './refused-calls.ts';
import { newSession } from './session.ts';

const request: PermissionRequest = {
  requestId: 'r',
  turnId: 't1',
  callId: 'c',
  kind: 'tool',
  title: 'rm -rf build',
  options: [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
  openedAt: '2026-01-01T00:00:00.000Z',
};
const answered = (optionId: string, asked = request) =>
  evolve(newSession('s'), { type: 'permission-answered', request: asked, answer: { requestId: 'r', optionId } })
    .session;
const failed = toolCall('a', { callId: 'c', toolOutput: 'exit 1', toolOutputIsError: true });

describe('a call the user refused', () => {
  it('is shown as refused, whether its agent reports a failure or leaves it hanging', () => {
    const open = toolCall('a', { callId: 'c', status: 'update' });
    expect(withRefusal(answered('no'), open)).toEqual({ ...open, refused: true });
    expect(withRefusal(answered('no'), failed)).toEqual({ ...failed, refused: true });
    expect(withRefusal(answered('no'), { ...failed, status: 'error' })).toMatchObject({ refused: true });
  });

  it('isn’t shown as refused if it ran after all', () => {
    const ran = toolCall('a', { callId: 'c', toolOutput: 'done' });
    expect(withRefusal(answered('no'), ran)).toBe(ran);
  });

  it('is distinguished from allowed calls and from other calls', () => {
    expect(withRefusal(answered('yes'), failed)).toBe(failed);
    expect(withRefusal(answered('no'), { ...failed, callId: 'other' })).not.toHaveProperty('refused');
    expect(withRefusal(answered('no'), { ...failed, turnId: 'next turn' })).not.toHaveProperty('refused');
    const { callId: _callId, ...aboutNoCall } = request;
    expect(withRefusal(answered('no', aboutNoCall), failed)).toBe(failed);
  });
});
