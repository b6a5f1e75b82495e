import type { Comparison } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import type { ReadMessage } from '@liminal/client/read-message';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';

/** The state of a comparison: null until it has loaded. */
export type ShownComparison = {
  readonly compareId: string;
  readonly comparison: Comparison | null;
  readonly failure: ApiFailure | null;
};

export type CompareStore = {
  /** The comparison that is shown instead of the sessions. */
  readonly shown: Cell<ShownComparison | null>;
  readonly open: (compareId: string) => void;
  readonly close: () => void;
  /** Reloads it; several requests at once are merged. */
  readonly refresh: () => void;
  /** True if the message was about comparisons and was handled. */
  readonly hear: (message: ReadMessage) => boolean;
  /** Its candidates' sessions, which are subscribed to while it is shown. */
  readonly sessionIds: () => readonly string[];
};

/** The visible comparison. Reloads whenever the server reports a change. */
export function createCompareStore(api: Pick<Api['compare'], 'read'>, follow: () => void): CompareStore {
  const shown = createCell<ShownComparison | null>(null);
  let reading = false;
  let isStale = false;

  const read = async (): Promise<void> => {
    const compareId = shown.get()?.compareId;
    if (compareId === undefined) return;
    if (reading) {
      isStale = true;
      return;
    }
    reading = true;
    const reply = await api.read(compareId);
    reading = false;
    if (shown.get()?.compareId === compareId)
      shown.update((held) => ({
        compareId,
        comparison: reply.ok ? reply.value : (held?.comparison ?? null),
        failure: reply.ok ? null : reply.failure,
      }));
    if (!isStale && shown.get()?.compareId === compareId) return;
    isStale = false;
    await read();
  };

  return {
    shown,
    open(compareId) {
      follow();
      if (shown.get()?.compareId !== compareId) shown.set({ compareId, comparison: null, failure: null });
      void read();
    },
    close: () => shown.set(null),
    refresh: () => void read(),
    hear(message) {
      if (message.type !== 'compare:changed') return false;
      if (message.compareId === shown.get()?.compareId) void read();
      return true;
    },
    sessionIds: () => (shown.get()?.comparison?.candidates ?? []).flatMap(({ sessionId }) => sessionId ?? []),
  };
}
