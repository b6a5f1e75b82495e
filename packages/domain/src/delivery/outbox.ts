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
  /** About how many bytes may wait before everything is dropped in favour of a history. */
  readonly maxBytes: number;
  /** The steps at which growing items are sent to `full` readers. */
  readonly gradient?: readonly number[];
  /** The reader already has everything up to this number. */
  readonly startSeq?: number;
};

/** Changes waiting for one reader of one session: the newest state of each thing, in ascending order. */
export type Outbox = {
  /** Adds a change, unless the reader has it or the outbox has overflowed. */
  push(change: Change): void;
  /** Removes and returns what may be sent now, up to the budget but at least one message. */
  take(budgetBytes?: number): OutboundMessage[];
  /** Releases held updates for the next `take`. Call it after a while, so none waits forever. */
  flushHeld(): void;
  /** Starts over after a history that contains everything up to `seq`. */
  reset(seq: number): void;
  /** About how many bytes are waiting, including held updates. */
  readonly bytes: number;
  /** `take` would return something. */
  readonly ready: boolean;
  /** Some updates wait for more text or for `flushHeld`. */
  readonly holding: boolean;
  /** The limit was exceeded and everything was dropped: send a history and call `reset`. */
  readonly overflowed: boolean;
};

/** The newest state of a key. With `append`, the reader has the state before these pieces of text. */
type Waiting = { readonly change: Change; readonly append: PendingAppend | undefined; readonly bytes: number };

export function createOutbox({ encoding, maxBytes, gradient, startSeq = 0 }: OutboxOptions): Outbox {
  // A replaced state is removed and added at the end, so the map is in ascending order.
  const waiting = new Map<string, Waiting>();
  let thinning = createUpdateThinning(gradient);
  let newestSeq = startSeq;
  // Everything up to this number may be sent. A held update is still sent before anything newer: a reader that
  // disconnects in between resumes after the newer number and would never get it.
  let readySeq = startSeq;
  let bytes = 0;
  let overflowed = false;
  // A reader that keeps up has only one waiting change, which is sent as it is. It enters the map when another arrives.
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
    // A single change may exceed the limit: otherwise each large change would cause a history that only repeats it.
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
        const message = messageOf(only, isAppend(only.body));
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

/** An append is sent as one, unless a full state is waiting: then the newer full state replaces it. */
function encodeAppend(before: Waiting | undefined, change: Change): Waiting {
  if (!isAppend(change.body) || (before && !before.append)) return wholeState(change);
  const { appended } = change.body;
  const append = before?.append ?? startAppend(appended);
  if (before && !joinAppend(append, appended)) return wholeState(change);
  return { change, append, bytes: appendBytes(append) };
}

/** The message for a change, created once and shared by all subscribers. */
function messageOf(change: Change, asAppend: boolean): OutboundMessage {
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
  return messageOf(change, append !== undefined);
}
