import type { AppendedText, TurnEvent, UpsertObject } from '@liminal/contracts';

/** One emission: the new state of an item, or a turn event. */
export type Emission =
  | {
      readonly kind: 'upsert';
      readonly upsert: UpsertObject;
      /** Only this was added to its text. */
      readonly appended?: AppendedText;
      /** The output of a call grew by this, and something else about the call changed as well. */
      readonly grown?: AppendedText;
    }
  | { readonly kind: 'turn'; readonly event: TurnEvent };
