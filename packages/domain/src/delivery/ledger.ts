import { approximateBytes } from '../items/approximate-bytes.ts';
import { type Change, type ChangeBody, keyOf, whole } from './change.ts';

/** Finds a released state elsewhere, for example in the store. */
export type Resolve = (key: string) => ChangeBody | undefined;

/** What the owner of a session holds: the newest state of each thing, with the number of its last change. */
export type Ledger = {
  readonly epoch: string;
  /** The number of the newest change. */
  readonly seq: number;
  /** Numbers a new state, which replaces the previous one. A copy of another ledger passes the original numbers. */
  record(body: ChangeBody, number?: number): Change;
  /** Gives the newest state a new number, for a reader who needs it again. */
  repeat(key: string, resolve?: Resolve): Change | undefined;
  /** Each thing that changed after `seq`, once, in full, in ascending order; null if that isn't known. */
  changesSince(seq: number, resolve?: Resolve): Change[] | null;
  /** The newest state; undefined if it was released or never existed. */
  newest(key: string): Change | undefined;
  /** Drops a state that can be found elsewhere; its number stays known. */
  release(key: string): void;
  /** Drops the thing itself. Readers who may have missed its last state can no longer catch up. */
  forget(key: string): void;
};

/** Kept states form a linked list in ascending order, so the newest changes are found from its end without a search. */
type Held = {
  readonly key: string;
  seq: number;
  body: ChangeBody | undefined;
  older: Held | undefined;
  newer: Held | undefined;
};

/**
 * About how many bytes of closed requests are kept. Histories don't include them, so only a reader that returns soon
 * needs them; one that missed older ones gets a history.
 */
const closedBytes = 64 * 1024;

/** A ledger whose numbers start after `startSeq`; a history covers everything before. */
export function createLedger(epoch: string, startSeq = 0): Ledger {
  const held = new Map<string, Held>();
  const closed = new Map<string, number>();
  let closedHeld = 0;
  let newest: Held | undefined;
  let seq = startSeq;
  let oldestResumable = startSeq;

  const unlink = (state: Held): void => {
    if (state.older) state.older.newer = state.newer;
    if (state.newer) state.newer.older = state.older;
    if (newest === state) newest = state.older;
    state.older = undefined;
    state.newer = undefined;
  };

  const linkNewest = (state: Held): void => {
    state.older = newest;
    if (newest) newest.newer = state;
    newest = state;
  };

  const record = (body: ChangeBody, number = seq + 1): Change => {
    const key = keyOf(body);
    seq = number;
    const state = held.get(key) ?? { key, seq, body, older: undefined, newer: undefined };
    held.set(key, state);
    unlink(state);
    state.seq = seq;
    state.body = body;
    linkNewest(state);
    noteClosed(key, body);
    return { seq, body };
  };

  const forget = (key: string): void => {
    closedHeld -= closed.get(key) ?? 0;
    closed.delete(key);
    const state = held.get(key);
    if (!state) return;
    oldestResumable = Math.max(oldestResumable, state.seq);
    unlink(state);
    held.delete(key);
  };

  const noteClosed = (key: string, body: ChangeBody): void => {
    if (body.type !== 'session:permission' || body.payload.state === 'open') return;
    const bytes = approximateBytes(body);
    closedHeld += bytes - (closed.get(key) ?? 0);
    closed.delete(key);
    closed.set(key, bytes);
    for (const [oldest] of closed) {
      if (closedHeld <= closedBytes) return;
      forget(oldest);
    }
  };

  const changesSince = (after: number, resolve?: Resolve): Change[] | null => {
    if (after > seq || after < oldestResumable) return null;
    const changes: Change[] = [];
    for (let state = newest; state && state.seq > after; state = state.older) {
      const body = state.body ?? resolve?.(state.key);
      if (!body) return null;
      changes.push({ seq: state.seq, body: whole(body) });
    }
    return changes.toReversed();
  };

  return {
    epoch,
    get seq() {
      return seq;
    },
    record,
    changesSince,
    repeat(key, resolve) {
      const body = held.get(key)?.body ?? resolve?.(key);
      return body && record(whole(body));
    },
    newest(key) {
      const state = held.get(key);
      return state?.body && { seq: state.seq, body: state.body };
    },
    release(key) {
      const state = held.get(key);
      if (state) state.body = undefined;
    },
    forget,
  };
}
