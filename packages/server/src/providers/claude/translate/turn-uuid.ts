import { createHash } from 'node:crypto';
import type { SendOptions } from '@liminal/contracts';
import type { UserMessage } from '../process/claude-sdk.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** The uuid under which Claude Code knows the message of a turn: the turn id itself, or one derived from it. */
export function uuidOfTurn(turnId: string): string {
  if (isUuid(turnId)) return turnId.toLowerCase();
  const hash = createHash('sha256').update(turnId).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

/** A message for Claude Code and the turn it was promised. */
export type OutgoingMessage = UserMessage & { readonly turnId: string };

export const outgoingMessage = (text: string, images: SendOptions['images'], turnId: string): OutgoingMessage => ({
  // Claude Code writes it to its record, which tells us whether a message arrived.
  uuid: uuidOfTurn(turnId),
  turnId,
  // The model would reject half of a surrogate pair.
  text: text.toWellFormed(),
  images: images ?? [],
});
