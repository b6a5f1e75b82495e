import type { AppendedText, TurnEvent, UpsertObject } from '@liminal/contracts';

/** What the core tells the world: the new state of one item, or a step in the life of a turn. */
export type Emission =
  | { readonly kind: 'upsert'; readonly upsert: UpsertObject; readonly appended?: AppendedText }
  | { readonly kind: 'turn'; readonly event: TurnEvent };
