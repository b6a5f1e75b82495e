import type { Encoding } from '@liminal/contracts';
import {
  appendBytes,
  appendPayload,
  isAppend,
  joinAppend,
  type PendingAppend,
  startAppend,
} from './append-encoding.ts';
import { approximateBytes } from '../items/approximate-bytes.ts';
import { type Change, type ChangeMemo, keyOf, type OutboundMessage } from './change.ts';
import { createUpdateThinning } from './update-thinning.ts';

export type OutboxOptions = {
  readonly encoding: Encoding;
  /** About how much may wait before everything is dropped in favour of a history. */
  readonly maxBytes: number;
  /** The steps by which growing items are thinned for `full` readers. */
  readonly gradient?: readonly number[];
  /** The reader already has everything up to this number. */
  readonly startSeq?: number;
};

/** What waits for one reader of one session: the newest state of each thing, by rising number. */
export type Outbox = {
  /** Adds a change, unless the reader has it or the outbox has overflowed. */
  push(change: Change): void;
  /** What may go out now, as much as fits the budget but at least one message. */
  take(budgetBytes?: number): OutboundMessage[];
  /** Lets held updates go out with the next `take`; to be called when nothing new has come for a while. */
  flushHeld(): void;
  /** Starts afresh after a history that contains everything up to `seq`. */
  reset(seq: number): void;
  /** About how much waits, held updates included. */
  readonly bytes: number;
  /** `take` would give something. */
  readonly ready: boolean;
  /** Updates wait for more text or for `flushHeld`. */
  readonly holding: boolean;
  /** Too much waited: it was dropped, and only a history and `reset` help. */
  readonly overflowed: boolean;
};

/** The newest state of a key. With `append`, the reader has the state before these pieces of text. */
type Waiting = { readonly change: Change; readonly append: PendingAppend | undefined; readonly bytes: number };

export function createOutbox({ encoding, maxBytes, gradient, startSeq = 0 }: OutboxOptions): Outbox {
  // A state that is replaced is taken out and put in at the end, so the map's own order is that of rising numbers.
  const waiting = new Map<string, Waiting>();
  let thinning = createUpdateThinning(gradient);
  let newestSeq = startSeq;
  // Everything up to this number may go out. An update that is held back still goes before anything newer: a reader
  // cut in between resumes after the newer number and would never learn of it.
  let readySeq = startSeq;
  let bytes = 0;
  let overflowed = false;
  // A reader that keeps up has one change waiting at a time, and it is sent as it is. It enters the map when another comes.
  let only: Change | null = null;

  const clear = (): void => {
    only = null;
    waiting.clear();
    bytes = 0;
    thinning = createUpdateThinning(gradient);
  };

  const remove = (key: string): Waiting | undefined => {
    const entry = waiting.get(key);
    if (!entry) return undefined;
    waiting.delete(key);
    bytes -= entry.bytes;
    return entry;
  };

  const add = (key: string, entry: Waiting): void => {
    waiting.set(key, entry);
    bytes += entry.bytes;
    // One change alone may be larger than the limit: a history would only say it again, and then the next one too.
    const single = waiting.size === 1 && (entry.append?.pieces.length ?? 1) === 1;
    if (bytes <= maxBytes || single) return;
    clear();
    overflowed = true;
  };

  const push = (change: Change): void => {
    if (overflowed || change.seq <= newestSeq) return;
    newestSeq = change.seq;
    if (encoding === 'append' && !only && waiting.size === 0) {
      only = change;
      readySeq = change.seq;
      return;
    }
    if (only) enter(only);
    only = null;
    enter(change);
  };

  const enter = (change: Change): void => {
    const key = keyOf(change.body);
    const before = remove(key);
    const due = before !== undefined && before.change.seq <= readySeq;
    const mayWait = encoding === 'full' && thinning.mayWait(key, change.body);
    if (due || !mayWait) readySeq = change.seq;
    add(key, entryOf(before, change));
  };
  const entryOf = (before: Waiting | undefined, change: Change): Waiting =>
    encoding === 'append' ? encodeAppend(before, change) : wholeState(change);

  const firstSeq = (): number => waiting.values().next().value?.change.seq ?? Infinity;

  return {
    push,
    take(budgetBytes = Infinity) {
      if (only) {
        const message = saidOf(only, isAppend(only.body));
        only = null;
        return [message];
      }
      const messages: OutboundMessage[] = [];
      let spent = 0;
      for (const [key, entry] of waiting) {
        spent += entry.bytes;
        if (entry.change.seq > readySeq || (messages.length > 0 && spent > budgetBytes)) break;
        remove(key);
        thinning.sent(key);
        messages.push(outbound(entry));
      }
      return messages;
    },
    flushHeld() {
      readySeq = newestSeq;
    },
    reset(seq) {
      clear();
      newestSeq = seq;
      readySeq = seq;
      overflowed = false;
    },
    get bytes() {
      return only ? entryOf(undefined, only).bytes : bytes;
    },
    get ready() {
      return only !== null || firstSeq() <= readySeq;
    },
    get holding() {
      return waiting.size > 0 && newestSeq > readySeq;
    },
    get overflowed() {
      return overflowed;
    },
  };
}

const memoOf = (change: Change): ChangeMemo => (change.memo ??= {});

const wholeState = (change: Change): Waiting => {
  const bytes = (memoOf(change).bytes ??= approximateBytes(change.body));
  return { change, append: undefined, bytes };
};

/** An append onto nothing or onto a waiting append stays one; onto a waiting whole state it is the newer whole state. */
function encodeAppend(before: Waiting | undefined, change: Change): Waiting {
  if (!isAppend(change.body) || (before && !before.append)) return wholeState(change);
  const { appended } = change.body;
  const append = before?.append ?? startAppend(appended);
  if (before && !joinAppend(append, appended)) return wholeState(change);
  return { change, append, bytes: appendBytes(append) };
}

/** What is said of a change is said to all its subscribers: the same message for each of them. */
function saidOf(change: Change, asAppend: boolean): OutboundMessage {
  const memo = memoOf(change);
  const { seq, body } = change;
  if (!asAppend || !isAppend(body))
    return (memo.whole ??= { type: body.type, seq, payload: body.payload, change } as OutboundMessage);
  return (memo.append ??= {
    type: 'session:append',
    seq,
    payload: appendPayload(body, startAppend(body.appended)),
    change,
  });
}

function outbound({ change, append }: Waiting): OutboundMessage {
  if (append && append.pieces.length > 1 && change.body.type === 'session:upsert')
    return { type: 'session:append', seq: change.seq, payload: appendPayload(change.body, append) };
  return saidOf(change, append !== undefined);
}
