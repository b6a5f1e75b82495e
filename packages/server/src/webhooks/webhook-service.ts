import { randomBytes } from 'node:crypto';
import {
  type AddWebhookBody,
  type AddWebhookReply,
  EventKind,
  fail,
  ok,
  type Result,
  type SessionSummary,
  type Webhook,
} from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';
import type { SessionDirectory } from '../bus/directory.ts';
import { type EventBatch, createEventFeed, type EventFeed } from '../events/event-feed.ts';
import type { DeliveryRow, SeenSession, WebhookRow } from '../store/webhook-rows.ts';
import { createDeliverer, type DelivererDeps } from './deliver.ts';
import { resolveTarget } from './post-event.ts';

export type WebhookService = {
  list(): Webhook[];
  add(body: AddWebhookBody): Promise<Result<AddWebhookReply>>;
  remove(webhookId: string): Promise<Result<null>>;
  /** The sessions as they were when the last events were created. */
  seen(): readonly SeenSession[];
  /** Sessions created after this time are reported as new. */
  reportedSince(): string | undefined;
  take(batch: EventBatch): void;
  /** Sends the events left over from the last run. */
  start(): void;
  close(): Promise<void>;
};

export type WebhookDeps = DelivererDeps & { readonly directory: SessionDirectory; readonly newId: () => string };

const mostWebhooks = 20;
const mostPending = 1_000;
const allKinds = EventKind.options;
const nothing: EventBatch = { events: [], seen: [], removed: [] };

/** Both batches as one, with the newest state of each session. */
const joined = (earlier: EventBatch, later: EventBatch): EventBatch => ({
  events: [...earlier.events, ...later.events].slice(-mostPending),
  seen: [...new Map([...earlier.seen, ...later.seen].map((session) => [session.sessionId, session])).values()],
  removed: [...earlier.removed, ...later.removed],
});

/** Addresses that receive events. An event is on disk before it is sent, and stays there until it was accepted. */
function createWebhookService(deps: WebhookDeps): WebhookService {
  const { store, directory, newId, onError } = deps;
  const now = () => isoTime(deps.now());
  const deliverer = createDeliverer(deps);
  /** Serializes writes, so events are on disk in order. */
  let writing: Promise<void> = Promise.resolve();
  /** Events that aren't on disk yet. */
  let waiting = nothing;
  let retry: NodeJS.Timeout | undefined;
  /** No event is kept for these webhooks any more. */
  const removing = new Set<string>();
  const seenRow = ({ sessionId, projectId, cliType, title, ended, asks }: SeenSession): SeenSession => ({
    sessionId,
    projectId,
    cliType,
    title,
    ...(ended && { ended }),
    ...(asks && { asks }),
  });
  // Other machines' sessions aren't known at the start, so nothing is kept about them, unless they were here before.
  const isKept = ({ sessionId, node }: Pick<SessionSummary, 'sessionId' | 'node'>): boolean =>
    node === undefined || node.presence === 'here' || store.session(sessionId) !== undefined;

  const write = async ({ events, seen, removed }: EventBatch): Promise<void> => {
    const webhooks = store.webhooks().filter(({ webhookId }) => !removing.has(webhookId));
    if (webhooks.length === 0) return;
    const rows = webhooks.flatMap(({ webhookId, events: wanted, includeTitle }) =>
      events
        .filter(({ kind }) => wanted.includes(kind))
        .map(({ title, ...event }): DeliveryRow => {
          const sent = includeTitle ? { ...event, title } : event;
          return { webhookId, event: sent, attempts: 0, nextAt: event.at };
        }),
    );
    const excess = webhooks.flatMap(({ webhookId }) => {
      const kept = store.deliveries(webhookId);
      const added = rows.filter((row) => row.webhookId === webhookId).length;
      return kept.slice(0, Math.max(0, kept.length + added - mostPending));
    });
    await store.write([
      ...rows.map((row) => ({ type: 'put-delivery', row }) as const),
      ...excess.map(({ webhookId, event }) => ({ type: 'remove-delivery', webhookId, eventId: event.id }) as const),
      ...seen.filter(isKept).map((session) => ({ type: 'put-seen', row: seenRow(session) }) as const),
      ...removed.map((sessionId) => ({ type: 'remove-seen', sessionId }) as const),
    ]);
    for (const { webhookId } of rows) deliverer.wake(webhookId);
  };
  /** Writes what waits. If the disk is full, it is written with the next events, or after a while. */
  const record = (): void => {
    writing = writing.then(async () => {
      const batch = waiting;
      waiting = nothing;
      if (batch === nothing) return;
      try {
        await write(batch);
      } catch (error) {
        onError(error);
        waiting = joined(batch, waiting);
        clearTimeout(retry);
        retry = setTimeout(record, deps.backoffMs(1)).unref();
      }
    });
  };

  const shown = (row: WebhookRow): Webhook => ({
    webhookId: row.webhookId,
    url: row.url,
    events: allKinds.filter((kind) => row.events.includes(kind)),
    allowPrivate: row.allowPrivate,
    includeTitle: row.includeTitle,
    createdAt: row.createdAt,
    pending: store.deliveries(row.webhookId).length,
    ...(row.last && { last: row.last }),
  });

  return {
    list: () => store.webhooks().map(shown),
    seen: () => (store.webhooks().length === 0 ? [] : store.seenSessions()),
    reportedSince: () => store.webhooks()[0]?.createdAt,
    async add({ url: text, events = allKinds, allowPrivate = false, includeTitle = false }) {
      if (!URL.canParse(text)) return fail('INVALID_REQUEST', "This address isn't valid.");
      const url = new URL(text);
      if (url.username !== '' || url.password !== '')
        return fail(
          'INVALID_REQUEST',
          'Leave user name and password out of the address. Deliveries are signed instead.',
        );
      const others = store.webhooks();
      if (others.length >= mostWebhooks)
        return fail('INVALID_REQUEST', `There are ${mostWebhooks} webhooks already. Remove one first.`);
      const resolved = await resolveTarget(url, allowPrivate, deps);
      if (!resolved.ok) return resolved;
      url.hash = '';
      const row: WebhookRow = {
        webhookId: newId(),
        url: url.href,
        events,
        allowPrivate,
        includeTitle,
        secret: `whsec_${randomBytes(24).toString('base64url')}`,
        createdAt: now(),
      };
      const known = others.length > 0 ? [] : directory.all().filter(isKept);
      await store.write([
        { type: 'put-webhook', row },
        ...known.map((session) => ({ type: 'put-seen', row: seenRow(session) }) as const),
      ]);
      return ok({ ...shown(row), secret: row.secret });
    },
    async remove(webhookId) {
      if (!store.webhooks().some((row) => row.webhookId === webhookId))
        return fail('NOT_FOUND', 'There is no such webhook.');
      removing.add(webhookId);
      try {
        await writing;
        await deliverer.stop(webhookId);
        const isLast = store.webhooks().every((row) => removing.has(row.webhookId));
        const seen = isLast ? store.seenSessions() : [];
        await store.write([
          { type: 'remove-webhook', webhookId },
          ...seen.map(({ sessionId }) => ({ type: 'remove-seen', sessionId }) as const),
        ]);
        return ok(null);
      } finally {
        removing.delete(webhookId);
      }
    },
    take(batch) {
      if (store.webhooks().every(({ webhookId }) => removing.has(webhookId))) return;
      waiting = joined(waiting, batch);
      record();
    },
    start() {
      for (const { webhookId } of store.webhooks()) deliverer.wake(webhookId);
    },
    async close() {
      clearTimeout(retry);
      await writing;
      clearTimeout(retry);
      await deliverer.close();
    },
  };
}

/** The event feed, and the webhooks that get each event. */
export function createReportedEvents(deps: Omit<WebhookDeps, 'now'>): { events: EventFeed; webhooks: WebhookService } {
  const webhooks = createWebhookService({ ...deps, now: Date.now });
  const events = createEventFeed({
    directory: deps.directory,
    now: () => isoTime(Date.now()),
    epoch: randomBytes(6).toString('base64url'),
    seen: webhooks.seen(),
    reportedSince: webhooks.reportedSince(),
    isStored: (sessionId) => deps.store.session(sessionId) !== undefined,
    onEvents: webhooks.take,
  });
  return { events, webhooks };
}
