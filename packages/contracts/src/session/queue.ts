import { z } from 'zod';
import { Image } from '../provider.ts';
import { Attachment, IsoTime } from './upsert.ts';

/**
 * A queued message. `waiting`: sends by itself; `held`: waits until the user opens or sends to the session; `unknown`:
 * may not have been delivered, the user may send it again.
 */
export const QueuedMessage = z.object({
  turnId: z.string().min(1),
  content: z.string(),
  createdAt: IsoTime,
  state: z.enum(['waiting', 'held', 'unknown']).optional(),
  attachments: z.array(Attachment).optional(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** The images of a queued message: too large to send to everyone with the queue. */
export const QueuedImages = z.object({ images: z.array(Image) });
export type QueuedImages = z.infer<typeof QueuedImages>;

export const SessionQueue = z.object({ queue: z.array(QueuedMessage) });
export type SessionQueue = z.infer<typeof SessionQueue>;
