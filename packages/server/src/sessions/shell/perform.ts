import { personsItemId } from '@liminal/domain/items/item-id';
import type { AgentFact, Effect } from '@liminal/domain/session/fact';
import type { Session } from '@liminal/domain/session/session';
import type { ProviderError } from '../../providers/provider-error.ts';
import type { AgentLink, SendOutcome } from './agent-link.ts';

export type HandingOver = {
  /** Nobody has stopped this turn, so its message may still go in. */
  isWanted(turnId: string): boolean;
  /** The agent is there, and the message goes in next: durable once it resolves. */
  agentIsThere(turnId: string): Promise<void>;
  /** What became of handing the message over. */
  done(turnId: string, outcome: SendOutcome): void;
  /** The agent could not be stopped. */
  notCancelled(turnId: string): void;
  /** A message shown in the running turn did not get there. */
  notSteered(itemId: string, error: ProviderError): void;
};

export type HandingOverDeps = {
  readonly session: () => Session;
  /** Runs a task in its place among the other things of the session. */
  readonly post: (task: () => void) => void;
  readonly agentIsThere: (turnId: string) => Promise<void>;
  readonly accept: (facts: readonly AgentFact[]) => void;
  readonly endTurn: (turnId: string, error: ProviderError | null) => void;
  readonly failedToStart: (error: ProviderError) => void;
  readonly publishStatus: () => void;
  readonly failItem: (itemId: string, errorCode: string, errorMessage: string) => void;
};

/** What a session makes of how its agent took a message. */
export function createHandingOver(deps: HandingOverDeps): HandingOver {
  const { session, post, accept, endTurn, failedToStart, publishStatus, failItem } = deps;
  const finish = (turnId: string, outcome: SendOutcome): void => {
    switch (outcome.type) {
      case 'sent':
        return publishStatus();
      case 'unwanted':
        return endTurn(turnId, null);
      case 'failed':
        return endTurn(turnId, outcome.error);
      case 'not-started':
        // A session that was ended meanwhile has no such turn any more.
        if (session().turn?.turnId === turnId) failedToStart(outcome.error);
    }
  };
  return {
    isWanted: (turnId) => session().turn?.turnId === turnId && session().turn?.phase !== 'cancelling',
    agentIsThere: deps.agentIsThere,
    done: (turnId, outcome) => post(() => finish(turnId, outcome)),
    notCancelled: (turnId) => post(() => accept([{ type: 'cancel-failed', turnId }])),
    notSteered: (itemId, { code, message }) =>
      // It goes on as a message of its own: here it is folded away.
      post(() => failItem(itemId, code === 'TURN_NOT_FOUND' ? 'SUPERSEDED' : code, message)),
  };
}

/** Does to the agent what follows from a fact. */
export function createPerform(link: AgentLink, handingOver: HandingOver): (effect: Effect) => Promise<void> {
  return async (effect) => {
    switch (effect.type) {
      case 'send-message': {
        const { turnId } = effect.message;
        // Not awaited by the sender: starting an agent may take seconds, and the message is safe already.
        void link
          .send(effect.message, {
            isWanted: () => handingOver.isWanted(turnId),
            agentIsThere: () => handingOver.agentIsThere(turnId),
          })
          .then((outcome) => handingOver.done(turnId, outcome));
        return;
      }
      case 'steer-message':
        return link.steer(effect.message).catch((error: ProviderError) => {
          handingOver.notSteered(personsItemId(effect.turnId, effect.place), error);
          throw error;
        });
      case 'cancel-turn':
        return link.cancel().catch((error: ProviderError) => {
          handingOver.notCancelled(effect.turnId);
          throw error;
        });
      case 'resolve-permission':
        return link.resolve(effect.answer);
      case 'kill-process':
        return link.kill();
    }
  };
}
