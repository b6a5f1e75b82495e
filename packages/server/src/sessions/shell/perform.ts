import type { Effect } from '@liminal/domain/session/fact';
import type { Outcome } from '@liminal/domain/session/outcome';
import { asProviderError, type ProviderError } from '../../providers/provider-error.ts';
import type { AgentLink } from './agent-link.ts';

/** Performs an effect on the agent and returns its outcome. Never rejects. */
export async function perform(link: AgentLink, effect: Effect): Promise<Outcome> {
  switch (effect.type) {
    case 'wake-agent':
      return link.wakeFor(effect.message);
    case 'send-message':
      return link.send(effect.message);
    case 'steer-message':
      return outcomeOf(link.steer(effect.message), "The message couldn't be sent to the agent.", (error) => ({
        type: 'not-steered',
        item: effect.item,
        error,
      }));
    case 'cancel-turn':
      return outcomeOf(link.cancel(), "The agent couldn't be stopped.", (error) => ({
        type: 'not-cancelled',
        turnId: effect.turnId,
        error,
      }));
    case 'resolve-permission':
      return outcomeOf(link.resolve(effect.answer), "The agent didn't accept the answer.", (error) => ({
        type: 'not-answered',
        error,
      }));
    case 'kill-process':
      return outcomeOf(link.kill(), "The agent couldn't be ended.", (error) => ({ type: 'not-killed', error }));
  }
}

async function outcomeOf(
  done: Promise<void>,
  sentence: string,
  failed: (error: ProviderError) => Outcome,
): Promise<Outcome> {
  try {
    await done;
    return { type: 'done' };
  } catch (thrown) {
    return failed(asProviderError(thrown, 'PROCESS_CRASH', sentence));
  }
}
