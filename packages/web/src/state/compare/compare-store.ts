import type { Comparison } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import type { ReadMessage } from '@liminal/client/read-message';
import type { Api } from '../../connection/api.ts';
import { createCell, type Cell } from '../base/cell.ts';

/** What is shown of a comparison: null before it was read. */
export type ShownComparison = {
  readonly compareId: string;
  readonly comparison: Comparison | null;
  readonly failure: ApiFailure | null;
};

export type CompareStore = {
  /** The comparison that is shown in place of the sessions. */
  readonly shown: Cell<ShownComparison | null>;
  readonly open: (compareId: string) => void;
  readonly close: () => void;
  /** Reads it again; several wishes at once are one. */
  readonly refresh: () => void;
  /** True where the message was about comparisons, and has done its work. */
  readonly hear: (message: ReadMessage) => boolean;
  /** Its candidates' sessions, which are followed while it is shown. */
  readonly sessionIds: () => readonly string[];
};

/** The one comparison in sight. It is read again whenever the server says that it changed. */
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
