import { EventKind, IsoTime, SessionSummary, WebhookAttempt, WorkbenchEvent } from '@liminal/contracts';
import { z } from 'zod';

export const WebhookRow = z.object({
  webhookId: z.string().min(1),
  url: z.string().min(1),
  /** Event kinds of newer builds are left alone. */
  events: z.array(EventKind.or(z.string())).readonly(),
  allowPrivate: z.boolean(),
  includeTitle: z.boolean(),
  secret: z.string().min(1),
  createdAt: IsoTime,
  last: WebhookAttempt.optional(),
});
export type WebhookRow = Readonly<z.infer<typeof WebhookRow>>;

/** An event that a webhook hasn't accepted yet. */
export const DeliveryRow = z.object({
  webhookId: z.string().min(1),
  event: WorkbenchEvent.partial({ title: true }),
  attempts: z.int(),
  nextAt: IsoTime,
});
export type DeliveryRow = Readonly<z.infer<typeof DeliveryRow>>;

/** A session as last used to make events: comparing it shows what happened around a crash. */
export const SeenSession = SessionSummary.pick({
  sessionId: true,
  projectId: true,
  cliType: true,
  title: true,
  ended: true,
  asks: true,
});
export type SeenSession = Readonly<z.infer<typeof SeenSession>>;

export type WebhookWrite =
  | { readonly type: 'put-webhook'; readonly row: WebhookRow }
  /** Also removes its pending deliveries. */
  | { readonly type: 'remove-webhook'; readonly webhookId: string }
  | { readonly type: 'put-delivery'; readonly row: DeliveryRow }
  | { readonly type: 'remove-delivery'; readonly webhookId: string; readonly eventId: string }
  | { readonly type: 'put-seen'; readonly row: SeenSession }
  | { readonly type: 'remove-seen'; readonly sessionId: string };
