import { personsItemId } from '@liminal/domain/items/item-id';
import type { Effect } from '@liminal/domain/session/fact';
import type { ProviderError } from '../providers/provider-error.ts';
import type { AgentLink } from './agent-link.ts';

export type HandingOver = {
  /** Nobody has stopped this turn, so its message may still go in. */
  isWanted(turnId: string): boolean;
  /** The agent is there, and the message goes in next: durable once it resolves. */
  agentIsThere(turnId: string): Promise<void>;
  /** The agent has the message, or it was not sent because nobody wanted it any more. */
  done(turnId: string, sent: boolean): void;
  failed(turnId: string, error: ProviderError): void;
  /** The agent could not be stopped. */
  notCancelled(turnId: string): void;
  /** A message shown in the running turn did not get there. */
  notSteered(itemId: string, error: ProviderError): void;
};

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
          .then(
            (sent) => handingOver.done(turnId, sent),
            (error: ProviderError) => handingOver.failed(turnId, error),
          );
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
