import type { Pacing } from './growing-text.ts';
import type { ItemPlace } from './open-item.ts';
import { createOpenItems, type OpenItems } from './open-items.ts';
import type { Identity } from './emit-item.ts';
import { createTurns, type Turns } from './turns.ts';

/** State shared by the parts of one accumulator. */
export type Core = {
  readonly identity: Identity;
  readonly pacing: Pacing;
  readonly announceArguments: boolean;
  readonly items: OpenItems;
  readonly turns: Turns;
  /** The id is new, and its turn still runs or the item is late. */
  mayOpen(place: ItemPlace): boolean;
  isDestroyed(): boolean;
  markDestroyed(): void;
};

export type CoreOptions = Pick<Core, 'identity' | 'pacing' | 'announceArguments'>;

export function createCore(options: CoreOptions): Core {
  const items = createOpenItems(options.identity);
  const turns = createTurns(options.identity);
  let destroyed = false;
  return {
    ...options,
    items,
    turns,
    mayOpen: ({ turnId, itemId, late }) =>
      !destroyed && (late === true || !turns.isOver(turnId)) && !items.isTaken(turnId, itemId),
    isDestroyed: () => destroyed,
    markDestroyed() {
      destroyed = true;
    },
  };
}
