import { fail, Image, ok, type Result, type SentMessage } from '@liminal/contracts';
import type { Message } from '@liminal/domain/session/session';
import { personsItemId } from '@liminal/domain/items/item-id';
import { z } from 'zod';
import { checkImages } from '../../files/check-images.ts';
import { checkMentions } from '../../files/is-in-folder.ts';
import type { CliProvider } from '../../providers/provider.ts';
import type { StoreWrite } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

const Beside = z.object({ images: z.array(Image), mentions: z.array(z.string()) });
type Beside = Readonly<z.infer<typeof Beside>>;

/**
 * Keeps the images and mentions of a message so it can be edited and sent again. They are stored like a tool's full
 * output: by item, and for as long.
 */
export function keepBeside(
  sessionId: string,
  turnId: string,
  { images, mentions }: Beside,
  writtenAt: string,
): StoreWrite[] {
  if (images.length + mentions.length === 0) return [];
  const output = JSON.stringify({ images, mentions });
  return [{ type: 'put-output', sessionId, itemId: personsItemId(turnId), output, writtenAt }];
}

export function readBeside(store: Pick<Store, 'output'>, sessionId: string, turnId: string): Beside {
  const kept = store.output(sessionId, personsItemId(turnId));
  const read = kept === undefined ? undefined : Beside.safeParse(JSON.parse(kept));
  return read?.success ? read.data : { images: [], mentions: [] };
}

/** A user's message as it was sent. A turn that the agent started by itself has none. */
export function readSentMessage(
  store: Pick<Store, 'output' | 'turn' | 'item'>,
  sessionId: string,
  turnId: string,
): Result<SentMessage, 'TURN_NOT_FOUND'> {
  const turn = store.turn(sessionId, turnId);
  if (!turn) return fail('TURN_NOT_FOUND', 'No turn of this session has this id.');
  const item = store.item(sessionId, personsItemId(turnId))?.body;
  const content = turn.content !== '' ? turn.content : item?.type === 'message' ? item.content : '';
  const beside = readBeside(store, sessionId, turnId);
  if (content === '' && item === undefined)
    return fail('TURN_NOT_FOUND', 'The agent started this turn itself, so there is no message to resend.');
  return ok({ content, ...beside });
}

type Given = { readonly images?: readonly Image[] | undefined; readonly mentions?: readonly string[] | undefined };

/** Checks a message's attachments before keeping any; no agent sees a refused one. */
export async function checkMessage(
  { images, mentions }: Given,
  provider: Pick<CliProvider, 'name' | 'capabilities'>,
  projectDir: string | null,
): Promise<Result<null>> {
  if (images?.length && !provider.capabilities.images) {
    return fail('NOT_SUPPORTED', `${provider.name} doesn't accept images.`);
  }
  const checked = checkImages(images);
  if (!checked.ok) return checked;
  return projectDir === null ? ok(null) : checkMentions(projectDir, mentions);
}

export type NewMessage = (content: string, images?: Message['images']) => Message;

export const messagesUnder =
  ({ now, newId }: { readonly now: () => string; readonly newId: () => string }): NewMessage =>
  (content, images = []) => ({ turnId: newId(), content, images, createdAt: now(), state: 'waiting' });
