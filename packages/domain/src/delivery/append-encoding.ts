import type { AppendedText, AppendPayload } from '@liminal/contracts';
import { isEnded } from '../items/item-text.ts';
import { envelopeBytes } from '../items/approximate-bytes.ts';
import type { ChangeBody, ItemBody } from './change.ts';

/** Text waiting to be sent as one append. Pieces are joined only when it is sent. */
export type PendingAppend = { readonly offset: number; readonly pieces: string[]; length: number };

type AppendBody = ItemBody & { readonly appended: AppendedText };

/**
 * Whether this state can be sent as an append to a reader who has the previous one. Only text that the accumulator
 * appended qualifies. A call's empty first output is sent in full: an empty append would change nothing.
 */
export function isAppend(body: ChangeBody): body is AppendBody {
  if (body.type !== 'session:upsert' || !body.appended || body.payload.status === 'create') return false;
  return body.payload.type !== 'tool_call' || body.appended.appendedFrom > 0 || body.appended.text !== '';
}

export function startAppend({ appendedFrom, text }: AppendedText): PendingAppend {
  return { offset: appendedFrom, pieces: [text], length: text.length };
}

/** Adds a piece; false if the text doesn't follow the waiting pieces, so only the full state is correct. */
export function joinAppend(pending: PendingAppend, { appendedFrom, text }: AppendedText): boolean {
  if (pending.offset + pending.length !== appendedFrom) return false;
  pending.pieces.push(text);
  pending.length += text.length;
  return true;
}

/** The append that brings a reader to the newest state; it ends the item if that state is final. */
export function appendPayload({ payload: item }: ItemBody, pending: PendingAppend): AppendPayload {
  return {
    itemId: item.itemId,
    offset: pending.offset,
    text: pending.pieces.join(''),
    ...(isEnded(item) && { status: item.status }),
    ...(item.errorCode !== undefined && { errorCode: item.errorCode }),
    ...(item.errorMessage !== undefined && { errorMessage: item.errorMessage }),
  };
}

export const appendBytes = (pending: PendingAppend): number => envelopeBytes + pending.length;
