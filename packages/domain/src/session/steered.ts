import { personsItemId } from '../items/item-id.ts';
import type { MessageUpsert } from '@liminal/contracts';
import type { Fact } from './fact.ts';
import { personsItem } from './persons-item.ts';
import type { SteeredMessage } from './session.ts';

type Steered = Extract<Fact, { type: 'message-steered' }>;
type Missed = Extract<Fact, { type: 'steering-missed' }>;

/** The item of a steered message, placed after the message that started the turn. */
export function steeredItem(sessionId: string, fact: Steered): MessageUpsert {
  const { turnId, place, message, at } = fact;
  return { ...personsItem(sessionId, message, at), turnId, itemId: personsItemId(turnId, place) };
}

/** The items in the turn that answers them: the first message starts it, the later ones share it. */
export function ownItems({ turnId, messages, at }: Missed): SteeredMessage[] {
  return messages.map(({ ownTurnId, item }, place) => ({
    ownTurnId,
    item: { ...item, turnId, itemId: personsItemId(turnId, place), emittedAt: at },
  }));
}

/** A message that wasn't delivered to its turn. One that came too late is sent as a message of its own. */
export function failedItem({ item, error }: Extract<Fact, { type: 'steering-failed' }>): MessageUpsert {
  const errorCode = error.code === 'TURN_NOT_FOUND' ? 'SUPERSEDED' : error.code;
  return { ...item, status: 'error', errorCode, errorMessage: error.message };
}

/** The old items are marked as replaced; the turn that answers the messages shows them. */
export function movedItems(fact: Missed): MessageUpsert[] {
  const errorMessage = 'This message arrived too late for this turn. It is answered in its own turn.';
  const replaced = { status: 'error', errorCode: 'SUPERSEDED', errorMessage, emittedAt: fact.at } as const;
  return [...fact.messages.map(({ item }) => ({ ...item, ...replaced })), ...ownItems(fact).map(({ item }) => item)];
}
