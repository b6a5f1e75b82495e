import type { SessionStore } from '../../state/sessions/session-store.ts';
import { createCell, type Cell } from '../../state/base/cell.ts';

/** A queued message that is being edited. */
export type QueueEdit = { readonly text: string; readonly original: string; readonly isSaving: boolean };

type QueueEdits = Cell<ReadonlyMap<string, QueueEdit>> & {
  readonly begin: (turnId: string, content: string) => void;
  readonly change: (turnId: string, part: Partial<QueueEdit>) => void;
  readonly end: (turnId: string) => void;
};

const stores = new WeakMap<SessionStore, QueueEdits>();

/** The edits of a session's queued messages, by turn. They stay when its tab isn't shown. */
export function queueEditsOf(session: SessionStore): QueueEdits {
  const edits = stores.get(session) ?? createQueueEdits();
  stores.set(session, edits);
  return edits;
}

function createQueueEdits(): QueueEdits {
  const cell = createCell<ReadonlyMap<string, QueueEdit>>(new Map());
  return {
    ...cell,
    begin: (turnId, content) =>
      cell.update((held) => new Map([...held, [turnId, { text: content, original: content, isSaving: false }]])),
    change: (turnId, part) =>
      cell.update((held) => {
        const edit = held.get(turnId);
        return edit === undefined ? held : new Map([...held, [turnId, { ...edit, ...part }]]);
      }),
    end: (turnId) => cell.update((held) => new Map([...held].filter(([each]) => each !== turnId))),
  };
}
