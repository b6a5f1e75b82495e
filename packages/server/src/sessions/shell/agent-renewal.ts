import { isBusy, type Session } from '@liminal/domain/session/session';
import type { AgentLink } from './agent-link.ts';

/** Work the agent does outside turns, which ends with its process. */
export const hasUnfinishedWork = (session: Session, link: Pick<AgentLink, 'hasBackgroundWork'>): boolean =>
  session.permissions.length > 0 || link.hasBackgroundWork();

export type RenewalInput = {
  readonly session: Session;
  readonly link: Pick<AgentLink, 'hasBackgroundWork'>;
  readonly isTrusted: boolean;
  /** The session is being opened. */
  readonly isOpening: boolean;
};

/**
 * Whether a process started before the folder's trust changed may be ended now: immediately if nothing runs in it,
 * otherwise when its turn ends.
 */
export function isRenewalDue({ session, link, isTrusted, isOpening }: RenewalInput): boolean {
  if (isBusy(session) || (session.life === 'loading' && !isOpening)) return false;
  // New trust can wait for the agent's background work; withdrawn trust can't.
  return !(isTrusted && hasUnfinishedWork(session, link));
}
