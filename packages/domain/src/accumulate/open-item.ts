import type { Attachment, MessageOrigin, PlanEntry, ToolCallUpsert } from '@liminal/contracts';
import type { GrowingText } from './growing-text.ts';

/** The place of a new item. */
export type ItemPlace = {
  readonly itemId: string;
  readonly turnId: string;
  /** The call of the subagent it belongs to. */
  readonly parentCallId?: string | undefined;
  /** It may open after its turn has ended. Its `itemId` must be new. */
  readonly late?: boolean | undefined;
};

type ItemState = {
  readonly itemId: string;
  readonly turnId: string;
  readonly parentCallId: string | undefined;
  /** When the agent last changed it. */
  sourceAt: number;
  /** It was emitted at least once. */
  emitted: boolean;
  /** Something other than its growing text has changed since the last emission. */
  changed: boolean;
};

export type TextItem = ItemState & {
  readonly type: 'message' | 'thinking';
  readonly providerId: string;
  origin: MessageOrigin;
  readonly attachments: readonly Attachment[] | undefined;
  readonly text: GrowingText;
};

/** The fields of a call apart from its output; `undefined` changes nothing. */
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

/** An item that hasn't ended yet. Ended items are forgotten. */
export type OpenItem = TextItem | CallItem | PlanItem;

/** The initial state of every item. */
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

/** Never emitted and empty: dropping it loses nothing. */
export const isUnsent = (item: OpenItem): boolean => !item.emitted && (growingTextOf(item)?.isEmpty() ?? false);
