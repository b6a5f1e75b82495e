import type {
  FolderChanged,
  HistoryPage,
  PermissionNotice,
  PermissionRequest,
  QueuedMessage,
  ReviewComment,
  SessionInfo,
  SessionMessage,
  SessionStatus,
  TurnRecord,
  UpsertObject,
} from '@liminal/contracts';
import { fold } from '@liminal/domain/timeline/fold';
import { foldOlderPage } from '@liminal/domain/timeline/fold-history';
import type { Folded } from '@liminal/domain/timeline/folded';
import { createRows, type Rows } from '@liminal/domain/timeline/rows';
import { createTimeline, itemsInOrder, type Timeline } from '@liminal/domain/timeline/timeline';
import { createEmitter, type Schedule } from '../base/emitter.ts';

/** What a view can subscribe to; items and expanded rows are separate keys. */
export type Topic =
  | 'rows'
  | 'turns'
  | 'permissions'
  | 'queue'
  | 'status'
  | 'info'
  | 'comments'
  | 'changes'
  | 'more'
  | 'load'
  | 'end'
  | 'sought'
  | `item:${string}`
  | `expanded:${string}`;

export type RunningTurn = { readonly turnId: string; readonly since: number };
export type Load = { readonly phase: 'waiting' | 'ready' } | { readonly phase: 'failed'; readonly message: string };
/** The scroll position and measured sizes, for the next time the session is shown. */
export type ViewMemory = { offset: number; atEnd: boolean; sizes: unknown };

/** An item to go to. If the user went there by key, keys continue from it. */
export type Sought = { readonly itemId: string; readonly takesFocus: boolean };

export type SessionStore = {
  readonly sessionId: string;
  readonly timeline: Readonly<Timeline>;
  readonly rows: Rows;
  readonly view: ViewMemory;
  readonly subscribe: (topic: Topic, listener: () => void) => () => void;
  /** Handles one message; returns the items whose text has a gap. */
  readonly apply: (message: SessionMessage) => readonly string[];
  readonly applyOlder: (page: HistoryPage, askedBefore: string) => void;
  readonly refuse: (message: string) => void;
  readonly rowsVersion: () => number;
  /** Scrolls to the end, for example after the user sent a message. */
  readonly goToEnd: () => void;
  readonly endSignal: () => number;
  /** The item to scroll to, until its row is visible. */
  readonly seek: (itemId: string | null, takesFocus?: boolean) => void;
  readonly sought: () => Sought | null;
  readonly item: (itemId: string) => UpsertObject | undefined;
  readonly turn: (turnId: string) => TurnRecord | undefined;
  readonly running: () => RunningTurn | null;
  readonly load: () => Load;
  readonly permissions: () => readonly PermissionRequest[];
  readonly closedPermissions: () => readonly PermissionNotice[];
  /** The user's loaded messages, oldest first. */
  readonly ownMessages: () => string[];
  /** The ids of those messages. */
  readonly ownItems: () => string[];
  readonly queue: () => readonly QueuedMessage[];
  readonly status: () => SessionStatus | undefined;
  readonly info: () => SessionInfo;
  /** Review comments; undefined until they were requested or one was written. */
  readonly comments: () => readonly ReviewComment[] | undefined;
  /** When the server last reported a change in the folder. */
  readonly folderChanged: () => FolderChanged | undefined;
  readonly setComments: (comments: readonly ReviewComment[]) => void;
  readonly isExpanded: (key: string) => boolean;
  readonly setExpanded: (key: string, expanded: boolean) => void;
};

/** The topic of each flag of a change. `notify` handles the rest itself. A new kind of change doesn't compile until it is here. */
const topicOf: { readonly [K in keyof Folded]: Folded[K] extends boolean ? Topic | null : null } = {
  permissions: 'permissions',
  queue: 'queue',
  status: 'status',
  info: 'info',
  comments: 'comments',
  changes: 'changes',
  more: 'more',
  items: null,
  added: null,
  reshaped: null,
  turns: null,
  reset: null,
  missing: null,
};
const topics = Object.entries(topicOf) as ReadonlyArray<[keyof Folded, Topic | null]>;

/** A session on the page: its timeline, its rows, and the subscriptions to each part. */
export function createSessionStore(sessionId: string, schedule: Schedule, now: () => number): SessionStore {
  const timeline = createTimeline();
  const rows = createRows();
  const emitter = createEmitter<Topic>(schedule);
  const expanded = new Set<string>();
  /** Turn events have no time, so a turn that starts here starts when its event arrives. */
  const seenAt = new Map<string, number>();
  let version = 0;
  let endSignal = 0;
  let sought: Sought | null = null;
  let load: Load = { phase: 'waiting' };
  let running: RunningTurn | null = null;

  const findRunning = (): RunningTurn | null => {
    const turnId = timeline.turnIds.findLast((id) => {
      const record = timeline.turns.get(id)?.record;
      return record !== undefined && record.state === 'running' && record.ended === undefined;
    });
    if (turnId === undefined) return null;
    if (running?.turnId === turnId) return running;
    const startedAt = Date.parse(timeline.turns.get(turnId)?.record?.startedAt ?? '');
    if (!seenAt.has(turnId)) seenAt.set(turnId, Number.isNaN(startedAt) ? now() : Math.min(startedAt, now()));
    return { turnId, since: seenAt.get(turnId) ?? now() };
  };

  const notify = (folded: Folded): void => {
    for (const itemId of folded.items) emitter.mark(`item:${itemId}`);
    if (rows.update(timeline, folded)) {
      version += 1;
      emitter.mark('rows');
    }
    if (folded.turns.length > 0 || folded.reset) {
      running = findRunning();
      emitter.mark('turns');
    }
    for (const [name, topic] of topics) if (topic !== null && folded[name]) emitter.mark(topic);
  };

  const setLoad = (next: Load): void => {
    load = next;
    emitter.mark('load');
  };

  return {
    sessionId,
    timeline,
    rows,
    view: { offset: 0, atEnd: true, sizes: undefined },
    subscribe: emitter.subscribe,
    apply(message) {
      const folded = fold(timeline, message);
      if (load.phase !== 'ready' && message.type === 'session:history') setLoad({ phase: 'ready' });
      notify(folded);
      return folded.missing;
    },
    applyOlder: (page, askedBefore) => notify(foldOlderPage(timeline, page, askedBefore)),
    refuse(message) {
      if (load.phase !== 'ready') setLoad({ phase: 'failed', message });
    },
    rowsVersion: () => version,
    goToEnd() {
      endSignal += 1;
      emitter.mark('end');
    },
    endSignal: () => endSignal,
    seek(itemId, takesFocus = false) {
      sought = itemId === null ? null : { itemId, takesFocus };
      emitter.mark('sought');
    },
    sought: () => sought,
    item: (itemId) => timeline.items.get(itemId),
    turn: (turnId) => timeline.turns.get(turnId)?.record,
    running: () => running,
    load: () => load,
    permissions: () => timeline.permissions,
    closedPermissions: () => timeline.closedPermissions,
    ownMessages: () =>
      [...itemsInOrder(timeline)].flatMap((item) =>
        item.type === 'message' && item.origin === 'user' && item.content !== '' ? [item.content] : [],
      ),
    ownItems: () =>
      [...itemsInOrder(timeline)].flatMap((item) =>
        item.type === 'message' && item.origin === 'user' ? [item.itemId] : [],
      ),
    queue: () => timeline.queue,
    status: () => timeline.status,
    info: () => timeline.info,
    comments: () => timeline.comments,
    folderChanged: () => timeline.changes,
    setComments(comments) {
      timeline.comments = comments;
      emitter.mark('comments');
    },
    isExpanded: (key) => expanded.has(key),
    setExpanded(key, open) {
      if (open) expanded.add(key);
      else expanded.delete(key);
      emitter.mark(`expanded:${key}`);
    },
  };
}
