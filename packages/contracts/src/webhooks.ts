import { z } from 'zod';
import { EventKind } from './events.ts';
import { IsoTime } from './session/upsert.ts';

/** How the last attempt went. */
export const WebhookAttempt = z.object({
  at: IsoTime,
  ok: z.boolean(),
  /** The outcome as a sentence for the user. */
  message: z.string(),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** A URL that receives events. Its secret is returned once, when it is added. */
export const Webhook = z.object({
  webhookId: z.string().min(1),
  url: z.string(),
  events: z.array(EventKind),
  /** Allows addresses of this machine or a private network. */
  allowPrivate: z.boolean(),
  /** Also sends session titles, which often contain the start of the first message. */
  includeTitle: z.boolean(),
  createdAt: IsoTime,
  /** Events that have not been delivered yet. */
  pending: z.int().min(0),
  last: WebhookAttempt.optional(),
});
export type Webhook = z.infer<typeof Webhook>;

export const WebhooksReply = z.object({ webhooks: z.array(Webhook) });
export type WebhooksReply = z.infer<typeof WebhooksReply>;

export const AddWebhookBody = z.object({
  url: z
    .string()
    .max(2_000)
    .refine((text) => /^https?:\/\//i.test(text), 'Enter an address that begins with https:// or http://'),
  events: z.array(EventKind).min(1, 'Choose at least one event').optional(),
  allowPrivate: z.boolean().optional(),
  includeTitle: z.boolean().optional(),
});
export type AddWebhookBody = z.infer<typeof AddWebhookBody>;

export const AddWebhookReply = Webhook.extend({
  /** Signs the deliveries. It is not shown again. */
  secret: z.string().min(1),
});
export type AddWebhookReply = z.infer<typeof AddWebhookReply>;
