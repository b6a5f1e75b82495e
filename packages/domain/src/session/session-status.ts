import type { SessionActivity, SessionStatus } from '@liminal/contracts';
import { isBusy, type Session } from './session.ts';

/** The status every reader receives; `isAlive` is the process's own word, not ours. */
export function statusOf(session: Session, isAlive: boolean): SessionStatus {
  return {
    state: session.life,
    activity: activityOf(session, isAlive),
    isAlive,
    ...(session.lastError ? { lastError: session.lastError } : {}),
  };
}

function activityOf(session: Session, isAlive: boolean): SessionActivity {
  if (session.permissions.length > 0) return 'waiting';
  if (isBusy(session)) return 'working';
  return isAlive || session.life === 'dead' ? 'idle' : 'asleep';
}

export const sameStatus = (a: SessionStatus, b: SessionStatus): boolean =>
  a.state === b.state &&
  a.activity === b.activity &&
  a.isAlive === b.isAlive &&
  a.lastError?.at === b.lastError?.at &&
  a.lastError?.code === b.lastError?.code;
