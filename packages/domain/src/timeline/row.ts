import type { TurnSummary } from './turn-summary.ts';

/** `stopped`: the turn ended before the item did. `refused`: the user refused it, which isn't a failure. */
export type RowState = 'open' | 'done' | 'failed' | 'stopped' | 'refused';

/** `note` is a message from the system, `user` from the user, `text` from the agent. */
export type ItemRow = {
  readonly kind: 'user' | 'text' | 'thinking' | 'plan' | 'note';
  readonly key: string;
  readonly itemId: string;
  readonly state: RowState;
};

export type ToolRow = {
  readonly kind: 'tool';
  readonly key: string;
  readonly itemId: string;
  readonly state: RowState;
  /** Set for calls that only read: these collapse together. */
  readonly lookup?: 'read' | 'search';
  /** What a subagent did for this call. */
  readonly children: readonly Row[];
};

export type GroupRow = {
  readonly kind: 'group';
  readonly key: string;
  readonly itemIds: readonly string[];
  readonly reads: number;
  readonly searches: number;
};

export type TurnEndRow = {
  readonly kind: 'turn-end';
  readonly key: string;
  readonly turnId: string;
  readonly summary: TurnSummary;
};

/** The agent continued by itself, for example after a background task. */
export type TurnStartRow = { readonly kind: 'turn-start'; readonly key: string; readonly turnId: string };

/** One row of the view. It refers to items by id, so growing text leaves the rows unchanged. */
export type Row = ItemRow | ToolRow | GroupRow | TurnStartRow | TurnEndRow;
