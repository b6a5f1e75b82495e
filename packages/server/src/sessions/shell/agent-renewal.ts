import { isBusy, type Session } from '@liminal/domain/session/session';
import type { AgentLink } from './agent-link.ts';

/** What the agent does outside of turns, which ends with its process. */
export const hasUnfinishedWork = (session: Session, link: Pick<AgentLink, 'hasBackgroundWork'>): boolean =>
  session.permissions.length > 0 || link.hasBackgroundWork();

export type RenewalInput = {
  readonly session: Session;
  readonly link: Pick<AgentLink, 'hasBackgroundWork'>;
  readonly isTrusted: boolean;
  /** The session is just being opened. */
  readonly isOpening: boolean;
};

/**
 * Whether a process that was started before the folder's trust changed may be ended now: at once when nothing runs in
 * it, else when its turn ends.
 */
export function isRenewalDue({ session, link, isTrusted, isOpening }: RenewalInput): boolean {
  if (isBusy(session) || (session.life === 'loading' && !isOpening)) return false;
  // Trust that was given can wait for what an agent does in the background; trust that was withdrawn cannot.
  return !(isTrusted && hasUnfinishedWork(session, link));
}
