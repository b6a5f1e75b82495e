import type { Attachment, MessageOrigin, PlanEntry, ToolCallUpsert } from '@liminal/contracts';
import type { GrowingText } from './growing-text.ts';

/** The place of a new item. */
export type ItemPlace = {
  readonly itemId: string;
  readonly turnId: string;
  /** The subagent's call it belongs to. */
  readonly parentCallId?: string | undefined;
  /** It trails after the end of its turn and is shown all the same. Its `itemId` must be new. */
  readonly late?: boolean | undefined;
};

type ItemState = {
  readonly itemId: string;
  readonly turnId: string;
  readonly parentCallId: string | undefined;
  /** When the agent last said something about it. */
  sourceAt: number;
  /** Readers know of it. */
  emitted: boolean;
  /** Something other than its growing text changed since it was last emitted. */
  changed: boolean;
};

export type TextItem = ItemState & {
  readonly type: 'message' | 'thinking';
  readonly providerId: string;
  origin: MessageOrigin;
  readonly attachments: readonly Attachment[] | undefined;
  readonly text: GrowingText;
};

/** What can be said of a call apart from its output; `undefined` says nothing. */
export type CallFields = Pick<
  ToolCallUpsert,
  | 'toolName'
  | 'toolArguments'
  | 'title'
  | 'toolKind'
  | 'diffs'
  | 'locations'
  | 'questions'
  | 'awaitingPermission'
  | 'durationMs'
  | 'toolOutputIsError'
>;

export type CallItem = ItemState & {
  readonly type: 'tool_call';
  readonly callId: string;
  fields: CallFields;
  hasOutput: boolean;
  readonly output: GrowingText;
};

export type PlanItem = ItemState & { readonly type: 'plan'; entries: readonly PlanEntry[] };

/** An item that has not ended yet. What ended is forgotten. */
export type OpenItem = TextItem | CallItem | PlanItem;

/** The state every item begins with. */
export function newItem(place: ItemPlace, at: number): ItemState {
  const { itemId, turnId, parentCallId } = place;
  return { itemId, turnId, parentCallId, sourceAt: at, emitted: false, changed: false };
}

/** The text of an item that may be emitted piece by piece. */
export function growingTextOf(item: OpenItem): GrowingText | undefined {
  switch (item.type) {
    case 'message':
    case 'thinking':
      return item.text;
    case 'tool_call':
      return item.output;
    case 'plan':
      return undefined;
  }
}

/** It was never emitted and holds nothing: to forget it loses nothing. */
export const isUnheardOf = (item: OpenItem): boolean => !item.emitted && (growingTextOf(item)?.isEmpty() ?? false);
