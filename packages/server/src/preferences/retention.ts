import { Retention, type TidyLimits, usualRetention } from '@liminal/contracts';
import { isoTime } from '@liminal/domain/time/iso-time';
import type { Store, Tidied } from '../store/store.ts';

export const retentionKey = 'retention';

const dayMs = 24 * 60 * 60 * 1000;
const forever: Retention = { outputDays: 0, decisionDays: 0 };

/** The current retention setting. An invalid one removes nothing. */
export function storedRetention(store: Pick<Store, 'setting'>): Retention {
  const stored = store.setting(retentionKey);
  if (stored === undefined) return usualRetention;
  const read = Retention.safeParse(stored);
  return read.success ? read.data : forever;
}

/** The cutoff dates at this time. */
export function tidyLimits({ outputDays, decisionDays }: Retention, now: number): TidyLimits {
  const before = (days: number) => (days === 0 ? null : isoTime(now - days * dayMs));
  return { outputsBefore: before(outputDays), decisionsBefore: before(decisionDays) };
}

export type RetentionTimerDeps = {
  readonly store: Pick<Store, 'setting' | 'tidy'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onTidied: (tidied: Tidied) => void;
  readonly onError: (error: unknown) => void;
};

/** Tidies the store a minute after the start, to keep the start fast, and then once a day. */
export function startRetentionTimer({ store, now, onTidied, onError }: RetentionTimerDeps): { stop(): void } {
  let isTidying = false;
  const tidy = (): void => {
    if (isTidying) return;
    isTidying = true;
    store
      .tidy(tidyLimits(storedRetention(store), now()))
      .then(onTidied, onError)
      .finally(() => (isTidying = false));
  };
  const first = setTimeout(tidy, 60_000).unref();
  const daily = setInterval(tidy, dayMs).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}
