import { newSession, type Session } from '@liminal/domain/session/session';
import { describe, expect, it } from 'vitest';
import { hasUnfinishedWork, isRenewalDue } from './agent-renewal.ts';

const idle = newSession('s');
const request = { requestId: 'r', turnId: 't', kind: 'tool', title: 'x', options: [], openedAt: '' } as const;
const asking: Session = { ...idle, permissions: [{ ...request, options: [] }] };
const quiet = { hasBackgroundWork: () => false };
const busy = { hasBackgroundWork: () => true };
const due = (session: Session, more: Partial<Parameters<typeof isRenewalDue>[0]> = {}): boolean =>
  isRenewalDue({ session, link: quiet, isTrusted: true, isOpening: false, ...more });

describe('an agent started before its folder’s trust changed', () => {
  it('is ended immediately when nothing runs', () => {
    expect(due(idle)).toBe(true);
  });

  it('may finish the running turn, the user’s or the agent’s own', () => {
    expect(due({ ...idle, agentTurn: 't' })).toBe(false);
    const turn = { turnId: 't', phase: 'running', awaitsAgent: false, started: true } as const;
    expect(due({ ...idle, turn }, { isTrusted: false })).toBe(false);
  });

  it('is not ended while it loads, except by the load itself', () => {
    expect(due({ ...idle, life: 'loading' })).toBe(false);
    expect(due({ ...idle, life: 'loading' }, { isOpening: true })).toBe(true);
  });

  it('may finish background work if trust was given, but not if it was withdrawn', () => {
    expect(due(idle, { link: busy })).toBe(false);
    expect(due(idle, { link: busy, isTrusted: false })).toBe(true);
    expect(due(asking)).toBe(false);
    expect(due(asking, { isTrusted: false })).toBe(true);
  });
});

it('counts open requests and background tasks as unfinished work', () => {
  expect([hasUnfinishedWork(idle, quiet), hasUnfinishedWork(asking, quiet), hasUnfinishedWork(idle, busy)]).toEqual([
    false,
    true,
    true,
  ]);
});
