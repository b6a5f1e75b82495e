import type { Emission } from './emission.ts';
import { createItemWeights } from './item-weights.ts';
import { growingTextOf, type CallItem, type OpenItem } from './open-item.ts';
import { emitItem, type Identity, type ItemFailure } from './emit-item.ts';

/** The open items, and the only place that emits them. */
export type OpenItems = {
  open(item: OpenItem): void;
  find(itemId: string): OpenItem | undefined;
  findCall(callId: string): CallItem | undefined;
  /** The call is open or has ended: another start or result adds nothing. */
  knowsCall(callId: string): boolean;
  /** The id belongs to an open item, or to one that ended earlier in this turn. */
  isTaken(turnId: string, itemId: string): boolean;
  ofTurn(turnId: string): readonly OpenItem[];
  all(): readonly OpenItem[];
  /** The item has text that must be emitted when it is due. */
  await(item: OpenItem): void;
  /** When the first awaited text is due; Infinity if there is none. */
  dueAt(): number;
  dueBy(at: number): readonly OpenItem[];
  emit(item: OpenItem, at: number): Emission;
  complete(item: OpenItem, at: number): Emission;
  fail(item: OpenItem, failure: ItemFailure, at: number): Emission;
  /** Approximate number of characters held in open items. */
  heldLength(): number;
  /** Drops it silently. */
  drop(item: OpenItem): void;
  /** The turn is over and nothing new can start in it, so the ids of its ended items aren't needed any more. */
  forgetTurn(turnId: string): void;
};

export function createOpenItems(identity: Identity): OpenItems {
  const open = new Map<string, OpenItem>();
  const openCalls = new Map<string, CallItem>();
  /** A result may be repeated in any later turn, so call ids are kept for the whole session. */
  const knownCalls = new Set<string>();
  const endedByTurn = new Map<string, Set<string>>();
  /** Few items have unsent text at a time. Those that only wait for a result don't slow down a tick. */
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
