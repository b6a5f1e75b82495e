import type { AppendedText, TurnEvent, UpsertObject } from '@liminal/contracts';

/** What the core emits: the new state of one item, or a step in the life of a turn. */
export type Emission =
  | {
      readonly kind: 'upsert';
      readonly upsert: UpsertObject;
      /** Nothing but this was added to its text. */
      readonly appended?: AppendedText;
      /** The output of a call grew by this, and something else about the call changed as well. */
      readonly grown?: AppendedText;
    }
  | { readonly kind: 'turn'; readonly event: TurnEvent };
