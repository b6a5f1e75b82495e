import type { TurnSummary } from './turn-summary.ts';

/** `stopped`: the turn ended before the item did. `refused`: the user said no, which is no failure. */
export type RowState = 'open' | 'done' | 'failed' | 'stopped' | 'refused';

/** `note` is what the system says, `user` the user's own words, `text` the agent's. */
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
  /** Set for calls that only look: those fold together. */
  readonly lookup?: 'read' | 'search';
  /** What a subagent did on behalf of this call. */
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

/** A turn nobody asked for: the agent continued by itself, such as after a background task. */
export type TurnStartRow = { readonly kind: 'turn-start'; readonly key: string; readonly turnId: string };

/** One line of the view. It names items rather than holding them, so a text that grows leaves the rows as they are. */
export type Row = ItemRow | ToolRow | GroupRow | TurnStartRow | TurnEndRow;
