import { useState } from 'react';
import type { MessageUpsert, SentMessage } from '@liminal/contracts';
import type { ApiResult } from '@liminal/client/call-routes';
import { personsItemId } from '@liminal/domain/items/item-id';
import { useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';

const imagesOf = ({ attachments = [] }: MessageUpsert): number => attachments.length;

export const canResend = (item: MessageUpsert): boolean => item.content !== '' || imagesOf(item) > 0;

/** Sends a message of the user again, or puts it into the composer, with its images and mentions. */
export function useResend() {
  const { store } = useSession();
  const { api, failures, outgoing, panels } = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const { sessionId } = store;

  /** The server stores the attachments of the message that began a turn, and only for a while. */
  const read = async (item: MessageUpsert): Promise<ApiResult<SentMessage>> => {
    const alone = { content: item.content, images: [], mentions: [] };
    const isFirst = item.itemId === personsItemId(item.turnId);
    // Plain text is known here, and can be sent without a connection.
    const isPlain = imagesOf(item) === 0 && !item.content.includes('@');
    const reply =
      isFirst && !isPlain ? await api.session.sentMessage(sessionId, item.turnId) : { ok: true as const, value: alone };
    if (!reply.ok || reply.value.images.length >= imagesOf(item)) return reply;
    return { ok: false, failure: { code: 'NOT_FOUND', message: 'Its images are no longer stored.' } };
  };
  /** Resolves to whether it could. */
  const resend = async (item: MessageUpsert): Promise<boolean> => {
    setBusy(true);
    const reply = await read(item);
    setBusy(false);
    if (!reply.ok) {
      failures.report("Couldn't send the message again.", reply.failure);
      return false;
    }
    const { images, mentions } = reply.value;
    outgoing.send(sessionId, item.content, {
      ...(images.length > 0 && { images }),
      ...(mentions.length > 0 && { mentions }),
    });
    store.goToEnd();
    return true;
  };
  const reuse = async (item: MessageUpsert): Promise<void> => {
    const reply = await read(item);
    const beside = reply.ok ? { images: reply.value.images, mentions: reply.value.mentions } : {};
    panels.insert.set({ sessionId, text: item.content, ...beside });
    if (!reply.ok && imagesOf(item) > 0) failures.report("Couldn't reuse the images.", reply.failure);
  };
  return { resend, reuse, isBusy };
}
