import type { PermissionNotice } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { emptyHistory } from '../../testing/session-samples.ts';
import type { Step } from '../redis/step-arguments.ts';
import { createSessionSteps } from './session-steps.ts';

const idOf = (index: number): string => `r${String(index).padStart(4, '0')}`;
const at = '2025-01-01T00:00:00.000Z';
const notice = (requestId: string, state: PermissionNotice['state']): PermissionNotice => ({
  state,
  request: {
    requestId,
    turnId: 't1',
    kind: 'tool',
    title: 'Run the tests',
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
    openedAt: at,
  },
});

/** The content of Redis after these steps. */
function apply(held: Map<string, string>, steps: readonly Step[]): void {
  for (const [what, key, value] of steps) {
    if (what === 'drop') held.delete(key);
    else held.set(key, value);
  }
}

function heldAfter(requests: number): Map<string, string> {
  const steps = createSessionSteps();
  const held = new Map<string, string>();
  apply(held, steps.base(emptyHistory));
  const notify = (payload: PermissionNotice): void => {
    const message = { type: 'session:permission', sessionId: 's1', epoch: 'e1', seq: 1, payload } as const;
    apply(
      held,
      steps.change(message, () => undefined, at),
    );
  };
  notify(notice('open', 'open'));
  for (let index = 0; index < requests; index += 1) {
    notify(notice(idOf(index), 'open'));
    notify(notice(idOf(index), 'answered'));
  }
  return held;
}

describe('the permission requests in Redis', () => {
  it('are the open ones and the recently closed ones, however many there were', () => {
    const [some, many] = [heldAfter(1_000), heldAfter(5_000)];
    expect(many.size).toBe(some.size);
    expect(many.has('permission:open')).toBe(true);
    expect(many.has(`permission:${idOf(4_999)}`)).toBe(true);
    expect(many.has(`permission:${idOf(0)}`)).toBe(false);
    expect(JSON.parse(many.get('permissions') ?? '')).toMatchObject([{ requestId: 'open' }]);
  });

  it('are only the open ones after the turn has ended', () => {
    const steps = createSessionSteps();
    const held = new Map<string, string>();
    apply(held, steps.base(emptyHistory));
    const change = (message: Parameters<typeof steps.change>[0]): void =>
      apply(
        held,
        steps.change(message, () => undefined, at),
      );
    const place = { sessionId: 's1', epoch: 'e1', seq: 1 } as const;
    change({ type: 'session:permission', ...place, payload: notice('one', 'open') });
    change({ type: 'session:permission', ...place, payload: notice('one', 'answered') });
    change({ type: 'session:permission', ...place, payload: notice('two', 'open') });
    expect([...held.keys()]).toContain('permission:one');
    change({
      type: 'session:turn',
      ...place,
      payload: { type: 'turn_complete', turnId: 't1', sessionId: 's1', status: 'completed' },
    });
    const permissions = [...held.keys()].filter((key) => key.startsWith('permission:'));
    expect(permissions).toEqual(['permission:two']);
  });
});
