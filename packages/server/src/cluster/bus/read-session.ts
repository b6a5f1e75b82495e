import {
  type HistoryPage,
  CommentsReply,
  FolderChanged,
  PermissionNotice,
  PermissionRequest,
  type SessionHistory,
  SessionInfo,
  SessionQueue,
  SessionStatus,
  TurnRecord,
  UpsertObject,
} from '@liminal/contracts';
import type { Change, ChangeBody, ItemBody } from '@liminal/domain/delivery/change';
import { textOf, withText } from '@liminal/domain/items/item-text';
import { z } from 'zod';
import type { Membership } from '../membership/membership.ts';
import { readJson } from '../redis/read-json.ts';
import { readScript } from '../redis/session-scripts.ts';

/** A session as read from Redis: one page of history, and the recent changes in order. */
export type SessionLook = {
  readonly epoch: string;
  readonly seq: number;
  /** The id of the newest entry in the stream of changes. */
  readonly lastId: string;
  readonly history: SessionHistory;
  /** `recent` has everything after this number, each key in its newest state. */
  readonly recentFrom: number;
  readonly recent: readonly Change[];
};

export type LookRequest = { readonly before?: string; readonly turns: number; readonly bytes: number; recent: number };
type Reply = readonly [
  verdict: string,
  epoch: string,
  seq: string,
  lastId: string,
  hasMore: string,
  turns: readonly string[],
  entries: readonly string[],
  recent: readonly string[],
  keys: readonly string[],
  values: readonly string[],
];

const RecentKeys = z.array(z.tuple([z.string(), z.number()]));
const noStatus: SessionStatus = { state: 'open', activity: 'asleep', isAlive: false };

/** Undefined if Redis doesn't have the session or not all of it yet, null if the session doesn't have the turn. */
export async function lookAtSession(
  { keys, script }: Pick<Membership, 'keys' | 'script'>,
  sessionId: string,
  { before = '', turns, bytes, recent }: LookRequest,
): Promise<SessionLook | null | undefined> {
  const used = [keys.head(sessionId), keys.items(sessionId), keys.index(sessionId), keys.changes(sessionId)];
  const reply = (await script(readScript, used, [before, turns, bytes, recent])) as Reply;
  if (reply[0] === 'NONE') return undefined;
  // Its second part says whether Redis has the whole session.
  if (reply[0] === 'TURN') return reply[1] === '1' ? null : undefined;
  const [, epoch, seq, lastId, hasMore, turnKeys, entryKeys, recentList, found, values] = reply;
  const fields = new Map(found.map((key, place) => [key, { value: values[place * 2], more: values[place * 2 + 1] }]));
  const item = (key: string): UpsertObject | undefined => readItem(fields.get(key)?.value, fields.get(key)?.more);
  const history: SessionHistory = {
    entries: entryKeys.flatMap((key) => item(key) ?? []).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)),
    turns: turnKeys.flatMap((key) => readJson(TurnRecord, fields.get(key)?.value) ?? []).toReversed(),
    hasMore: hasMore === '1',
    permissions: readJson(z.array(PermissionRequest), fields.get('permissions')?.value) ?? [],
    queue: readJson(SessionQueue, fields.get('queue')?.value)?.queue ?? [],
    status: readJson(SessionStatus, fields.get('status')?.value) ?? noStatus,
    info: readJson(SessionInfo, fields.get('info')?.value) ?? {},
  };
  const bodyOf = (key: string): ChangeBody | undefined => {
    const { value } = fields.get(key.replace(/^(turn:.*):(start|end)$/, '$1')) ?? {};
    const upsert = key.startsWith('item:') ? item(key) : undefined;
    return upsert ? { type: 'session:upsert', payload: upsert } : valueBody(key, value);
  };
  return { epoch, seq: Number(seq), lastId, history, ...readRecent(Number(seq), recentList, bodyOf) };
}

export function pageOf(look: SessionLook): HistoryPage {
  const { entries, turns, hasMore } = look.history;
  return { entries, turns, nextBefore: hasMore ? (turns[0]?.turnId ?? null) : null };
}

/** An item from its last full state and the text appended since. */
export function readItem(value: string | undefined, more = ''): UpsertObject | undefined {
  const item = readJson(UpsertObject, value);
  if (!item || more === '') return item;
  const grown = withText(item, textOf(item) + more);
  return grown.status === 'create' ? { ...grown, status: 'update' } : grown;
}

/** For each type, the keys that hold it (those of `keyOf`), and how to read its payload from a value. */
type ValueReaders = {
  readonly [Body in Exclude<ChangeBody, ItemBody> as Body['type']]: {
    readonly keys: RegExp;
    readonly read: (value: string | undefined, key: string) => Body['payload'] | undefined;
  };
};

const valueReaders: ValueReaders = {
  'session:status': { keys: /^status$/, read: (value) => readJson(SessionStatus, value) },
  'session:queue': { keys: /^queue$/, read: (value) => readJson(SessionQueue, value) },
  'session:comments': { keys: /^comments$/, read: (value) => readJson(CommentsReply, value) },
  'session:changes': { keys: /^changes$/, read: (value) => readJson(FolderChanged, value) },
  'session:info': { keys: /^info$/, read: (value) => readJson(SessionInfo, value) },
  'session:permission': { keys: /^permission:/, read: (value) => readJson(PermissionNotice, value) },
  'session:turn': {
    keys: /^turn:/,
    read(value, key) {
      const turn = readJson(TurnRecord, value);
      return key.endsWith(':start') ? turn?.started : turn?.ended;
    },
  },
};

function valueBody(key: string, value: string | undefined): ChangeBody | undefined {
  const [type, reader] = Object.entries(valueReaders).find(([, { keys }]) => keys.test(key)) ?? [];
  const payload = reader?.read(value, key);
  return payload && ({ type, payload } as ChangeBody);
}

/** From the newest back, until a key can't be read. */
function readRecent(
  seq: number,
  list: readonly string[],
  bodyOf: (key: string) => ChangeBody | undefined,
): Pick<SessionLook, 'recent' | 'recentFrom'> {
  const newest = new Map<string, Change>();
  let recentFrom = seq;
  for (let place = 0; place < list.length; place += 2) {
    const pairs = readJson(RecentKeys, list[place + 1]) ?? [];
    const bodies = pairs.map(([key, number]) => ({ key, seq: number, body: bodyOf(key) }));
    if (bodies.some(({ body }) => body === undefined)) break;
    for (const { key, seq: number, body } of bodies.toReversed()) {
      if (body && !newest.has(key)) newest.set(key, { seq: number, body });
    }
    recentFrom = Number(list[place]);
  }
  return { recentFrom, recent: [...newest.values()].toSorted((a, b) => a.seq - b.seq) };
}
