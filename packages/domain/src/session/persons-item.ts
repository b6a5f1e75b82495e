import { personsItemId } from '../items/item-id.ts';
import type { MessageUpsert } from '@liminal/contracts';
import type { Message } from './session.ts';

/** The user's own item of a turn: complete from the start, shown when the message is sent to the agent. */
export function personsItem(sessionId: string, message: Message, at: string): MessageUpsert {
  return {
    type: 'message',
    turnId: message.turnId,
    sessionId,
    itemId: personsItemId(message.turnId),
    sourceTimestamp: message.createdAt,
    emittedAt: at,
    status: 'complete',
    content: message.content,
    origin: 'user',
    ...(message.images.length > 0 ? { attachments: attachmentsOf(message) } : {}),
  };
}

export const attachmentsOf = (message: Message) =>
  message.images.map((image) => ({
    mimeType: image.mimeType,
    // Base64 encodes three bytes in four characters.
    size: Math.floor((image.data.length * 3) / 4),
    ...(image.name === undefined ? {} : { name: image.name }),
  }));
