import type { SendOptions } from '@liminal/contracts';
import type { UserMessage } from '../process/claude-sdk.ts';
import { uuidOfTurn } from '../translate/turn-uuid.ts';

/** A message for Claude Code and the turn it was promised. */
export type OutgoingMessage = UserMessage & { readonly turnId: string };

export const outgoingMessage = (text: string, images: SendOptions['images'], turnId: string): OutgoingMessage => ({
  // Claude Code writes it into its record: this is how we find out whether a message arrived.
  uuid: uuidOfTurn(turnId),
  turnId,
  // Half of a surrogate pair would be refused by the model.
  text: text.toWellFormed(),
  images: images ?? [],
});
