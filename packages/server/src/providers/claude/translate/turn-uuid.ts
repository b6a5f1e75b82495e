import { createHash } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** The uuid under which Claude Code knows the message of a turn: the turn id itself, or always the same one for it. */
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
