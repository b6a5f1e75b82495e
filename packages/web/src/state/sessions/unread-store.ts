import type { SessionSummary } from '@liminal/contracts';
import { createCell, type Cell } from '../base/cell.ts';
import { readJson, type Storage } from '../../browser/storage.ts';

export type UnreadStore = Cell<ReadonlySet<string>> & {
  /** A session's summary changed: what ended out of sight is news. */
  readonly sessionChanged: (before: SessionSummary | undefined, after: SessionSummary) => void;
  readonly seen: (sessionId: string) => void;
};

const key = 'liminal.unread';
const isBusy = (session: SessionSummary): boolean => session.activity === 'working' || session.activity === 'waiting';
const check = (value: unknown): ReadonlySet<string> | null =>
  Array.isArray(value) ? new Set(value.filter((id): id is string => typeof id === 'string')) : null;

/** Sessions that finished something while the person looked elsewhere. */
export function createUnreadStore(storage: Storage, isInView: (sessionId: string) => boolean): UnreadStore {
  const cell = createCell<ReadonlySet<string>>(readJson(storage, key, check) ?? new Set());
  cell.subscribe(() => storage.write(key, cell.get().size === 0 ? null : JSON.stringify([...cell.get()])));
  return {
    ...cell,
    sessionChanged(before, after) {
      if (before === undefined || !isBusy(before) || isBusy(after) || isInView(after.sessionId)) return;
      cell.update((unread) => new Set(unread).add(after.sessionId));
    },
    seen: (sessionId) =>
      cell.update((unread) => (unread.has(sessionId) ? new Set([...unread].filter((id) => id !== sessionId)) : unread)),
  };
}
