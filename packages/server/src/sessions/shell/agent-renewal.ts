import { isBusy, type Session } from '@liminal/domain/session/session';
import type { AgentLink } from './agent-link.ts';

export type AgentRenewalDeps = {
  readonly session: () => Session;
  readonly link: AgentLink;
  readonly isTrusted: () => boolean;
};

/** What the agent does outside of turns, which ends with its process. */
export const hasUnfinishedWork = (session: Session, link: AgentLink): boolean =>
  session.permissions.length > 0 || link.hasBackgroundWork();

/**
 * Ends a process that was started before the folder's trust changed: at once when nothing runs in it, else when its
 * turn ends.
 */
export function createAgentRenewal({ session, link, isTrusted }: AgentRenewalDeps) {
  let isWanted = false;
  return {
    want(): void {
      isWanted ||= link.isStartedOrStarting();
    },
    /**
     * To be called before anything is handed to the agent. True when the process was ended: the next message starts
     * another.
     */
    async endIfDue(isOpening: boolean): Promise<boolean> {
      const { life } = session();
      if (!isWanted || isBusy(session()) || (life === 'loading' && !isOpening)) return false;
      // Trust that was given can wait for what an agent does in the background; trust that was withdrawn cannot.
      if (isTrusted() && hasUnfinishedWork(session(), link)) return false;
      isWanted = false;
      await link.kill();
      return true;
    },
  };
}
