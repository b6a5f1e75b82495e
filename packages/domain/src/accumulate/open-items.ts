import type { Emission } from './emission.ts';
import { createItemWeights } from './item-weights.ts';
import { growingTextOf, type CallItem, type OpenItem } from './open-item.ts';
import { emitItem, type Identity, type ItemFailure } from './emit-item.ts';

/** The items that have not ended, and the only place that emits them. */
export type OpenItems = {
  open(item: OpenItem): void;
  find(itemId: string): OpenItem | undefined;
  findCall(callId: string): CallItem | undefined;
  /** The call is open or was: another start or result of it adds nothing. */
  knowsCall(callId: string): boolean;
  /** The id belongs to an open item, or to one that ended earlier in this turn. */
  isTaken(turnId: string, itemId: string): boolean;
  ofTurn(turnId: string): readonly OpenItem[];
  all(): readonly OpenItem[];
  /** It holds text that must go out by itself when its time comes. */
  await(item: OpenItem): void;
  /** When the first awaited text is due; Infinity when nothing is awaited. */
  dueAt(): number;
  dueBy(at: number): readonly OpenItem[];
  emit(item: OpenItem, at: number): Emission;
  complete(item: OpenItem, at: number): Emission;
  fail(item: OpenItem, failure: ItemFailure, at: number): Emission;
  /** About how many characters are held in items that have not ended. */
  heldLength(): number;
  /** Drops it silently. */
  drop(item: OpenItem): void;
  /** The turn is over, nothing can begin in it by mistake: the ids of what ended in it are needed no more. */
  forgetTurn(turnId: string): void;
};

export function createOpenItems(identity: Identity): OpenItems {
  const open = new Map<string, OpenItem>();
  const openCalls = new Map<string, CallItem>();
  /** Results may be repeated in any later turn, so call ids are kept for the life of the session. */
  const knownCalls = new Set<string>();
  const endedByTurn = new Map<string, Set<string>>();
  /** Few items hold unsent text at a time; those that only wait for a result cost a tick nothing. */
  const awaited = new Set<OpenItem>();

  const weights = createItemWeights();

  const dueAtOf = (item: OpenItem) => growingTextOf(item)?.dueAt() ?? Number.POSITIVE_INFINITY;

  const drop = (item: OpenItem) => {
    open.delete(item.itemId);
    awaited.delete(item);
    weights.forget(item);
    if (item.type === 'tool_call') openCalls.delete(item.callId);
    const ended = endedByTurn.get(item.turnId);
    if (ended) ended.add(item.itemId);
    else endedByTurn.set(item.turnId, new Set([item.itemId]));
  };

  const end = (item: OpenItem, how: 'complete' | ItemFailure, at: number) => {
    if (item.type === 'tool_call' && item.fields.awaitingPermission) {
      item.fields = { ...item.fields, awaitingPermission: false };
      item.changed = true;
    }
    const emission = emitItem(identity, item, how, at);
    drop(item);
    return emission;
  };

  return {
    open(item) {
      open.set(item.itemId, item);
      weights.weigh(item);
      if (item.type !== 'tool_call') return;
      openCalls.set(item.callId, item);
      knownCalls.add(item.callId);
    },
    find: (itemId) => open.get(itemId),
    findCall: (callId) => openCalls.get(callId),
    knowsCall: (callId) => knownCalls.has(callId),
    isTaken: (turnId, itemId) => open.has(itemId) || (endedByTurn.get(turnId)?.has(itemId) ?? false),
    ofTurn: (turnId) => [...open.values()].filter((item) => item.turnId === turnId),
    all: () => [...open.values()],
    await(item) {
      awaited.add(item);
      weights.weigh(item);
    },
    dueAt() {
      let earliest = Number.POSITIVE_INFINITY;
      for (const item of awaited) earliest = Math.min(earliest, dueAtOf(item));
      return earliest;
    },
    dueBy: (at) => [...awaited].filter((item) => dueAtOf(item) <= at),
    emit(item, at) {
      awaited.delete(item);
      weights.weigh(item);
      return emitItem(identity, item, 'step', at);
    },
    complete: (item, at) => end(item, 'complete', at),
    fail: (item, failure, at) => end(item, failure, at),
    heldLength: () => weights.total(),
    drop,
    forgetTurn: (turnId) => void endedByTurn.delete(turnId),
  };
}
