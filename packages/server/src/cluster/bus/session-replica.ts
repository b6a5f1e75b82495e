import { type AppendPayload, type Cursor, SessionMessage } from '@liminal/contracts';
import { type Change, type ChangeBody, itemKey, type OutboundMessage } from '@liminal/domain/delivery/change';
import { createLedger, type Ledger } from '@liminal/domain/delivery/ledger';
import { appendText } from '@liminal/domain/timeline/append-text';
import { textOf } from '@liminal/domain/items/item-text';
import { z } from 'zod';
import { readJson } from '../redis/read-json.ts';
import type { StreamEntry } from '../redis/stream-reader.ts';
import type { Follower } from '../../bus/session-bus.ts';
import type { SessionLook } from './read-session.ts';

export type SessionReplicaDeps = {
  /** Undefined while Redis doesn't have the session. */
  readonly look: () => Promise<SessionLook | null | undefined>;
  /** Whether another machine still lists the session. */
  readonly isRemote: () => boolean;
  readonly item: (itemId: string) => Promise<ChangeBody | undefined>;
  readonly watch: (fromId: string, onEntries: (entries: readonly StreamEntry[]) => void) => () => void;
  /** Its machine sends something this version doesn't know. */
  readonly onUnreadable: () => void;
  readonly onError: (error: unknown) => void;
};

export type SessionReplica = ReturnType<typeof createSessionReplica>;
type Reader = { readonly follower: Follower; readonly cursor: Cursor | undefined; from: number | null };

const Data = z.array(z.unknown());
const againMs = 150;
const mostKeys = 4_000;

/** A session of another machine, read once from Redis and sent to any number of readers here. */
export function createSessionReplica(deps: SessionReplicaDeps) {
  const readers = new Set<Reader>();
  let ledger: Ledger | null = null;
  let lastId = '0-0';
  let unwatch: (() => void) | null = null;
  let loading: Promise<SessionLook | null> | null = null;
  let work: Promise<void> = Promise.resolve();
  let keys: string[] = [];
  let isClosed = false;

  /** The session as Redis has it now. Waits until it is there, or returns null if that can't happen any more. */
  const lookNow = async (): Promise<SessionLook | null> => {
    while (!isClosed) {
      const found = await deps.look().catch((error: unknown) => {
        deps.onError(error);
        return undefined;
      });
      if (found) return found;
      if (!deps.isRemote()) return null;
      await new Promise((resolve) => setTimeout(resolve, againMs).unref());
    }
    return null;
  };
  const begin = (look: SessionLook): void => {
    ledger = createLedger(look.epoch, look.recentFrom);
    for (const { seq, body } of look.recent) ledger.record(body, seq);
    keys = [];
    ({ lastId } = look);
    unwatch?.();
    unwatch = deps.watch(lastId, hear);
  };
  const load = (): Promise<SessionLook | null> => {
    loading ??= lookNow().finally(() => (loading = null));
    return loading;
  };

  const sendBack = (reader: Reader): void => {
    if (readers.delete(reader)) reader.follower.renewed();
  };
  /** Makes every reader that has started start over. */
  const renew = (): void => {
    ledger = null;
    unwatch?.();
    unwatch = null;
    for (const reader of readers) if (reader.from !== null) sendBack(reader);
  };

  const start = async (reader: Reader): Promise<void> => {
    const { cursor, follower } = reader;
    let look: SessionLook | null = null;
    if (!ledger) {
      look = await load();
      // Closing has sent it back already.
      if (isClosed) return;
      if (!look) return sendBack(reader);
      if (!ledger) begin(look);
    }
    if (!readers.has(reader) || !ledger) return;
    const changes = cursor?.epoch === ledger.epoch ? ledger.changesSince(cursor.seq) : null;
    if (changes) {
      reader.from = ledger.seq;
      return follower.caughtUp({ verdict: 'ok', epoch: ledger.epoch, seq: ledger.seq, changes });
    }
    look ??= await load();
    if (!readers.has(reader)) return;
    if (!look) return sendBack(reader);
    const { epoch, seq, history } = look;
    if (ledger?.epoch !== epoch) {
      // The epoch changed while we read, so start over.
      renew();
      return start(reader);
    }
    reader.from = seq;
    follower.caughtUp({ verdict: cursor ? 'gap' : 'fresh', epoch, seq, history });
    if (ledger.seq > seq) notify(reader, ledger.changesSince(seq) ?? null);
  };
  const notify = (reader: Reader, changes: readonly Change[] | null): void => {
    try {
      const { from } = reader;
      if (changes === null) throw new Error("missed changes can't be recovered");
      const news = changes.filter(({ seq }) => from !== null && seq > from);
      if (news.length > 0) reader.follower.changed(news);
    } catch (error) {
      deps.onError(error);
      sendBack(reader);
    }
  };

  /** The state after a message. Reads the state before it from Redis only if it isn't in memory. */
  const bodyOf = (message: OutboundMessage): ChangeBody | Promise<ChangeBody | undefined> => {
    if (message.type !== 'session:append') return { type: message.type, payload: message.payload } as ChangeBody;
    const held = ledger?.newest(itemKey(message.payload.itemId))?.body;
    return (held && grown(held, message.payload, true)) ?? askedBody(message.payload);
  };
  const grown = (before: ChangeBody, append: AppendPayload, isHeld: boolean): ChangeBody | undefined => {
    const payload = before.type === 'session:upsert' ? appendText(before.payload, append) : null;
    if (before.type !== 'session:upsert' || !payload) return undefined;
    const { offset, text } = append;
    const follows = isHeld && offset === textOf(before.payload).length;
    return { type: 'session:upsert', payload, ...(follows ? { appended: { appendedFrom: offset, text } } : {}) };
  };
  const askedBody = async (append: AppendPayload): Promise<ChangeBody | undefined> => {
    const found = await deps.item(append.itemId);
    // If text is missing in between, the item in Redis is at least as new.
    return found && (grown(found, append, false) ?? found);
  };
  const apply = async (messages: readonly OutboundMessage[], seq: number): Promise<void> => {
    const changes: Change[] = [];
    for (const message of messages) {
      const found = bodyOf(message);
      const body = found instanceof Promise ? await found : found;
      if (!ledger) return;
      if (body) changes.push(ledger.record(body, message.seq));
      if (message.type === 'session:append' || message.type === 'session:upsert')
        keys.push(itemKey(message.payload.itemId));
    }
    if (!ledger) return;
    if (ledger.seq !== seq || changes.length !== messages.length) return renew();
    for (const reader of readers) if (reader.from !== null) notify(reader, changes);
    // Memory holds only recent changes. A reader with an older cursor gets a history.
    if (keys.length > mostKeys) for (const key of keys.splice(0, mostKeys / 2)) ledger.forget(key);
  };
  const hearOne = async ({ id, fields }: StreamEntry): Promise<void> => {
    // Already part of what we started with.
    if (!isAfter(id, lastId)) return;
    lastId = id;
    if (!ledger) return;
    const [prev, seq] = [Number(fields['p']), Number(fields['s'])];
    const isBase = fields['r'] !== undefined;
    // Rewritten exactly at our position: nothing is missing. Anywhere else, or in another epoch, everyone starts over.
    if (isBase) return fields['r'] === ledger.epoch && seq === ledger.seq ? undefined : renew();
    if (seq <= ledger.seq) return;
    if (prev !== ledger.seq) return renew();
    const messages = readMessages(fields['d']);
    // Sent by a newer version, or empty. The history has everything we can read.
    if (!messages) {
      deps.onUnreadable();
      return renew();
    }
    await apply(messages, seq);
  };
  const hear = (entries: readonly StreamEntry[]): void => {
    for (const entry of entries) {
      work = work
        .then(() => hearOne(entry))
        .catch((error: unknown) => {
          deps.onError(error);
          renew();
        });
    }
  };

  return {
    follow(cursor: Cursor | undefined, follower: Follower): () => void {
      const reader: Reader = { follower, cursor, from: null };
      readers.add(reader);
      start(reader).catch((error: unknown) => {
        if (!isClosed) deps.onError(error);
      });
      return () => void readers.delete(reader);
    },
    readers: () => readers.size,
    holds: (itemId: string): boolean => ledger?.newest(itemKey(itemId)) !== undefined,
    /** Whether every reader has everything up to this position. */
    isAt: (epoch: string | null, seq: string | null): boolean =>
      [...readers].every(({ from }) => from !== null) &&
      (ledger === null || (ledger.epoch === epoch && String(ledger.seq) === seq)),
    /** Redis is back. The arguments are the session's position there. */
    resume(epoch: string | null, seq: string | null): void {
      if (!ledger) return;
      if (epoch !== ledger.epoch || Number(seq) < ledger.seq) return renew();
      unwatch?.();
      unwatch = deps.watch(lastId, hear);
    },
    close(): void {
      isClosed = true;
      renew();
      // Those that still wait too: the session may be local or deleted now.
      for (const reader of readers) sendBack(reader);
    },
  };
}

/** Compares stream ids, which consist of a time and a counter. */
function isAfter(id: string, other: string): boolean {
  const [[time = 0, place = 0], [otherTime = 0, otherPlace = 0]] = [id, other].map((each) =>
    each.split('-').map(Number),
  ) as [number[], number[]];
  return time > otherTime || (time === otherTime && place > otherPlace);
}

/** By type. Only the payload is checked by its schema: checking the whole message takes half as long again. */
const payloads = new Map<unknown, z.ZodType>(
  SessionMessage.options.flatMap(({ shape }) =>
    'payload' in shape ? [[shape.type.value, shape.payload] as const] : [],
  ),
);

function readMessage(entry: unknown): OutboundMessage | null {
  const { type, seq, payload } = (entry ?? {}) as Record<string, unknown>;
  const parsed = Number.isSafeInteger(seq) ? payloads.get(type)?.safeParse(payload) : undefined;
  return parsed?.success ? ({ type, seq, payload: parsed.data } as OutboundMessage) : null;
}

function readMessages(text: string | undefined): OutboundMessage[] | null {
  const messages: OutboundMessage[] = [];
  for (const entry of readJson(Data, text) ?? []) {
    const message = readMessage(entry);
    if (!message) return null;
    messages.push(message);
  }
  return messages.length > 0 ? messages : null;
}
