import type { Settled } from '@liminal/client/server-link';
import { itemsOfTurn } from '@liminal/domain/timeline/timeline';

/** The agent's last message in the turn. */
export function answerIn({ timeline, progress }: Settled): string | undefined {
  const turnId = 'turnId' in progress ? progress.turnId : undefined;
  const items = turnId === undefined ? [] : itemsOfTurn(timeline, turnId);
  const last = items.findLast((item) => item.type === 'message' && item.origin === 'agent');
  return last?.type === 'message' ? last.content : undefined;
}
