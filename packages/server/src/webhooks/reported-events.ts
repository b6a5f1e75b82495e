import { randomBytes } from 'node:crypto';
import { isoTime } from '@liminal/domain/time/iso-time';
import { createEventFeed, type EventFeed } from '../events/event-feed.ts';
import { createWebhookService, type WebhookDeps, type WebhookService } from './webhook-service.ts';

/** The feed of events, and the webhooks that get each of them. */
export function createReportedEvents(deps: Omit<WebhookDeps, 'now'>): { events: EventFeed; webhooks: WebhookService } {
  const webhooks = createWebhookService({ ...deps, now: Date.now });
  const events = createEventFeed({
    directory: deps.directory,
    now: () => isoTime(Date.now()),
    epoch: randomBytes(6).toString('base64url'),
    seen: webhooks.seen(),
    reportedSince: webhooks.reportedSince(),
    onEvents: webhooks.take,
  });
  return { events, webhooks };
}
