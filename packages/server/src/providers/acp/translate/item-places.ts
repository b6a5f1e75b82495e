import { makeItemId, noteItemId } from '@liminal/domain/items/item-id';
import type { UpsertObject } from '@liminal/contracts';

export type ItemPlaceInTurn = { readonly itemId: string; readonly turnId: string; readonly late?: true };

/** Gives each new item its id, in order of first appearance, and remembers the agent's own id for it. */
export type ItemPlaces = {
  /** The running turn, or the last one. */
  readonly turnId: string;
  readonly isRunning: boolean;
  begin(turnId: string): void;
  end(): void;
  /** The place of the next item: in the running turn, or trailing after the last one. */
  next(sourceId?: string): ItemPlaceInTurn;
  /** The place of the next system note. */
  nextNote(): ItemPlaceInTurn;
  sourceIdOf(upsert: UpsertObject): string | undefined;
};

/** Items that come before any turn. */
const noTurn = 'session';

/** `firstPlace`: the first number for items before any turn; must differ from those of an earlier start. */
export function createItemPlaces(firstPlace = 0): ItemPlaces {
  let turnId = noTurn;
  let isRunning = false;
  let ordinal = firstPlace;
  let note = firstPlace;
  const sources = new Map<string, string>();
  const late = (): { late?: true } => (isRunning ? {} : { late: true });

  return {
    get turnId() {
      return turnId;
    },
    get isRunning() {
      return isRunning;
    },
    begin(id) {
      turnId = id;
      isRunning = true;
      ordinal = 0;
      note = 0;
      // Texts end with their turn at the latest; calls carry their own id.
      sources.clear();
    },
    end() {
      isRunning = false;
    },
    next(sourceId) {
      ordinal += 1;
      const itemId = makeItemId(turnId, ordinal);
      if (sourceId !== undefined) sources.set(itemId, sourceId);
      return { itemId, turnId, ...late() };
    },
    nextNote() {
      note += 1;
      return { itemId: noteItemId(turnId, note), turnId, ...late() };
    },
    sourceIdOf: (upsert) => (upsert.type === 'tool_call' ? `call:${upsert.callId}` : sources.get(upsert.itemId)),
  };
}
