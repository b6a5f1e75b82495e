import type { AppendedText, Cursor, UpsertObject } from '@liminal/contracts';
import type { Change, ChangeBody } from '@liminal/domain/delivery/change';
import type { Fact } from '@liminal/domain/session/fact';
import { steeredItem } from '@liminal/domain/session/steered';
import { createOutputShortener, type OutputShortener } from '@liminal/domain/session/shorten-output';
import type { UpsertDetail } from '../../providers/provider.ts';
import type { ItemRow, StoreWrite } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { UnwrittenItems } from '../history/history-reader.ts';
import type { ItemWriter } from '../writing/item-writer.ts';

export type SessionItems = UnwrittenItems & {
  /** Gives an item its place and returns the change to publish. */
  take(upsert: UpsertObject, how?: UpsertDetail): ChangeBody;
  /** Passes what was taken to the writer, with the numbers it was published under. */
  persist(epoch: string, changes: readonly Change[]): void;
  /** A steered message has no row of its own: its item must be on disk before it is published. */
  steered(facts: readonly Fact[]): StoreWrite[];
  /** This state is on disk. True when nothing newer waits, so memory may release it. */
  written(row: ItemRow): boolean;
  /** Others wrote items of this session: new ones go after theirs. */
  reloadNextOrder(): void;
  /** The newest state, from memory or from the store. */
  find(itemId: string): UpsertObject | undefined;
};

type Placed = Pick<UpsertObject, 'itemId' | 'turnId'>;
const isShortened = (upsert: UpsertObject) => upsert.type === 'tool_call' && upsert.toolOutputLength !== undefined;
const appendedTo = (how?: UpsertDetail): AppendedText | undefined =>
  how?.appendedFrom !== undefined && how.text !== undefined
    ? { appendedFrom: how.appendedFrom, text: how.text }
    : undefined;
const hasEnded = (upsert: UpsertObject) => upsert.status === 'complete' || upsert.status === 'error';

/** The items of one session between agent and disk: memory holds only unwritten ones. */
export function createSessionItems(
  sessionId: string,
  store: Store,
  writer: ItemWriter,
  now: () => string,
): SessionItems {
  const unwritten = new Map<string, UpsertObject>();
  const places = new Map<string, number>();
  /** By turn: whether the disk had items of it before this process placed its first one. */
  const storedTurns = new Map<string, boolean>();
  /** One per output that is still growing. */
  const shorteners = new Map<string, OutputShortener>();
  let taken: { readonly payload: UpsertObject; readonly sourceId: string | null }[] = [];
  let nextOrder = store.nextPlaces(sessionId).order;

  /** Whether the disk may have an item that this process hasn't placed. Asked once for a turn, not for each item. */
  const mayBeStored = ({ itemId, turnId }: Placed): boolean => {
    // Ids that start with their turn's id are of that turn only.
    if (!itemId.startsWith(`${turnId}:`)) return true;
    let isStored = storedTurns.get(turnId);
    if (isStored === undefined) storedTurns.set(turnId, (isStored = store.hasItemsOfTurn(sessionId, turnId)));
    return isStored;
  };
  const placeOf = (item: Placed): number => {
    const held = places.get(item.itemId);
    if (held !== undefined) return held;
    const stored = mayBeStored(item) ? store.item(sessionId, item.itemId)?.order : undefined;
    const place = stored ?? nextOrder++;
    places.set(item.itemId, place);
    return place;
  };
  const placed = (upsert: UpsertObject, grown?: AppendedText): UpsertObject => ({
    ...shortened(upsert, grown),
    order: placeOf(upsert),
  });
  const rowOf = (body: UpsertObject, sourceId: string | null, change: Cursor | null): ItemRow => {
    const { itemId, turnId } = body;
    return { sessionId, itemId, turnId, order: placeOf(body), sourceId, change, body };
  };
  /** A long output is kept in full beside its item; readers receive its start and end. */
  const shortened = (upsert: UpsertObject, grown?: AppendedText): UpsertObject => {
    if (upsert.type !== 'tool_call' || upsert.toolOutput === undefined) return upsert;
    const shortener = shorteners.get(upsert.itemId) ?? createOutputShortener();
    const { output, wholeLength } = shortener.take(upsert.toolOutput, grown);
    if (hasEnded(upsert)) shorteners.delete(upsert.itemId);
    else shorteners.set(upsert.itemId, shortener);
    if (wholeLength === undefined) return upsert;
    if (hasEnded(upsert))
      writer.add({
        type: 'put-output',
        sessionId,
        itemId: upsert.itemId,
        output: upsert.toolOutput,
        writtenAt: now(),
      });
    return { ...upsert, toolOutput: output, toolOutputLength: wholeLength };
  };
  const find = (itemId: string): UpsertObject | undefined => {
    const row = unwritten.has(itemId) ? undefined : store.item(sessionId, itemId);
    return unwritten.get(itemId) ?? (row && { ...row.body, order: row.order });
  };

  return {
    take(upsert, how) {
      const appended = appendedTo(how);
      const payload = placed(upsert, appended ?? how?.grown);
      unwritten.set(upsert.itemId, payload);
      taken.push({ payload, sourceId: how?.sourceId ?? null });
      return appended && !isShortened(payload)
        ? { type: 'session:upsert', payload, appended }
        : { type: 'session:upsert', payload };
    },
    persist(epoch, changes) {
      for (const { payload, sourceId } of taken) {
        const change = changes.find(({ body }) => body.payload === payload);
        writer.put(rowOf(payload, sourceId, change ? { epoch, seq: change.seq } : null), hasEnded(payload));
      }
      taken = [];
    },
    steered: (facts) =>
      facts.flatMap((fact) =>
        fact.type === 'message-steered'
          ? [{ type: 'put-item', row: rowOf(placed(steeredItem(sessionId, fact)), null, null) }]
          : [],
      ),
    written(row) {
      if (unwritten.get(row.itemId) !== row.body) return false;
      unwritten.delete(row.itemId);
      return hasEnded(row.body);
    },
    reloadNextOrder() {
      storedTurns.clear();
      nextOrder = Math.max(nextOrder, store.nextPlaces(sessionId).order);
    },
    newest: (itemId) => unwritten.get(itemId),
    ofTurn: (turnId) => [...unwritten.values()].filter((item) => item.turnId === turnId),
    find,
  };
}
