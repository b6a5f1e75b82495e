import { isoTime } from '@liminal/domain/time/iso-time';
import type { DeliveryRow, WebhookRow } from '../store/webhook-rows.ts';
import { type PostDeps, postEvent } from './post-event.ts';
import type { Store } from '../store/store.ts';
import { createHmac } from 'node:crypto';

export type Deliverer = {
  /** A webhook has a new event. */
  wake(webhookId: string): void;
  /** Aborts deliveries for a webhook. Undelivered events stay on disk. */
  stop(webhookId: string): Promise<void>;
  close(): Promise<void>;
};

export type DelivererDeps = PostDeps & {
  readonly store: Store;
  readonly version: string;
  readonly now: () => number;
  /** How long to wait after this many failed attempts. */
  readonly backoffMs: (attempts: number) => number;
  readonly onAttempt?: (attempt: { readonly ms: number; readonly isOk: boolean }) => void;
  readonly onError: (error: unknown) => void;
};

/** Events older than this are dropped. */
const keptMs = 3 * 24 * 3_600_000;

/** 10 seconds, then three times as long each time, up to 6 hours. */
export const usualBackoff = (attempts: number): number => Math.min(6 * 3_600_000, 10_000 * 3 ** (attempts - 1));

/** Delivers the events of each webhook in order, oldest first. A receiver that is down delays only its own events. */
export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { store, now, onError } = deps;
  const running = new Map<string, { readonly end: AbortController; readonly done: Promise<void>; wake: () => void }>();
  let isClosed = false;

  const attempt = async (webhook: WebhookRow, row: DeliveryRow, signal: AbortSignal): Promise<void> => {
    const body = JSON.stringify(row.event);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': `Liminal-Builder/${deps.version}`,
      'Liminal-Event-Id': row.event.id,
      'Liminal-Signature': signatureOf(webhook.secret, Math.floor(now() / 1000), body),
    };
    const since = performance.now();
    const { ok, message } = await postEvent(webhook, headers, body, deps, signal);
    deps.onAttempt?.({ ms: performance.now() - since, isOk: ok });
    // Neither delivered nor failed: it is sent again next time, under the same id.
    if (signal.aborted && !ok) return;
    // Recording the attempt would bring a removed webhook back, with its secret.
    if (!store.webhooks().some(({ webhookId }) => webhookId === webhook.webhookId)) return;
    const at = isoTime(now());
    const attempts = row.attempts + 1;
    const isLate = now() - Date.parse(row.event.at) > keptMs;
    const last = {
      at,
      ok,
      message: !ok && isLate ? `${message} The event is three days old and was dropped.` : message,
    };
    await store.write([
      { type: 'put-webhook', row: { ...webhook, last } },
      ok || isLate
        ? { type: 'remove-delivery', webhookId: row.webhookId, eventId: row.event.id }
        : { type: 'put-delivery', row: { ...row, attempts, nextAt: isoTime(now() + deps.backoffMs(attempts)) } },
    ]);
  };

  const work = async (webhookId: string, signal: AbortSignal, until: (ms: number) => Promise<void>): Promise<void> => {
    /** The event that has waited long enough, even if the clock was moved back meanwhile. */
    let due: string | null = null;
    while (!signal.aborted) {
      const webhook = store.webhooks().find((row) => row.webhookId === webhookId);
      const [row] = webhook ? store.deliveries(webhookId) : [];
      if (!webhook || !row) return;
      const { event, attempts, nextAt } = row;
      const longestMs = attempts === 0 || due === event.id ? 0 : deps.backoffMs(attempts);
      const waitMs = Math.min(Date.parse(nextAt) - now(), longestMs);
      due = waitMs > 0 ? event.id : null;
      if (waitMs > 0) await until(waitMs);
      else await attempt(webhook, row, signal);
    }
  };

  const start = (webhookId: string): void => {
    const end = new AbortController();
    let isWanted = false;
    const until = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        end.signal.addEventListener(
          'abort',
          () => {
            clearTimeout(timer);
            resolve();
          },
          { once: true },
        );
      });
    const done = work(webhookId, end.signal, until)
      .catch((error: unknown) => {
        onError(error);
        // The attempt couldn't be recorded, for example because the disk is full. The event must not wait for another.
        isWanted = true;
        return until(deps.backoffMs(1));
      })
      .then(() => {
        running.delete(webhookId);
        if (isWanted && !end.signal.aborted) start(webhookId);
      });
    running.set(webhookId, { end, done, wake: () => (isWanted = true) });
  };

  const stop = async (webhookId: string): Promise<void> => {
    const each = running.get(webhookId);
    each?.end.abort();
    await each?.done;
  };

  return {
    wake(webhookId) {
      if (isClosed) return;
      const each = running.get(webhookId);
      if (each) each.wake();
      else start(webhookId);
    },
    stop,
    async close() {
      isClosed = true;
      await Promise.all([...running.keys()].map(stop));
    },
  };
}

/**
 * `t=<seconds>,v1=<hex of HMAC-SHA256 over "<seconds>.<body>">`. The time is signed too, so a receiver can reject an
 * old delivery.
 */
function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
