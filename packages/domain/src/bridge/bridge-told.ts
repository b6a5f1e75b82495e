/** What a channel host has been told of one session, as far as it decides what to tell it next. */
export type BridgeTold = {
  /** Items that have not ended: the text told so far; a call's is empty. */
  readonly open: ReadonlyMap<string, string>;
  /** The highest place of an item that was told: what stands at or before it and is not open has ended. */
  readonly lastOrder: number;
  /** Places before it that were passed over: their items are still to come. */
  readonly skipped: ReadonlySet<number>;
  readonly turns: ReadonlyMap<string, 'started' | 'ended'>;
  /** Requests that wait for an answer. */
  readonly permissions: ReadonlySet<string>;
};

export const nothingTold: BridgeTold = {
  open: new Map(),
  lastOrder: -1,
  skipped: new Set(),
  turns: new Map(),
  permissions: new Set(),
};

export function withOpen(told: BridgeTold, itemId: string, text: string | null, order: number): BridgeTold {
  const open = new Map(told.open);
  if (text === null) open.delete(itemId);
  else open.set(itemId, text);
  return { ...told, open, ...passedTo(told, order) };
}

/** Nothing more will come of this item than was told. */
export const hasEnded = (told: BridgeTold, itemId: string, order: number): boolean =>
  !told.open.has(itemId) && order <= told.lastOrder && !told.skipped.has(order);

/** What stands before this place belongs to a part of the history that this host is not told. */
export const beginningAt = (told: BridgeTold, order: number): BridgeTold =>
  order - 1 > told.lastOrder ? { ...told, lastOrder: order - 1 } : told;

/** Newest states go out by the number of their last change, so a later item may be told before an earlier one. */
function passedTo({ lastOrder, skipped }: BridgeTold, order: number): Pick<BridgeTold, 'lastOrder' | 'skipped'> {
  if (order === lastOrder + 1) return { lastOrder: order, skipped };
  const left = new Set(skipped);
  left.delete(order);
  for (let passed = lastOrder + 1; passed < order; passed += 1) left.add(passed);
  return { lastOrder: Math.max(lastOrder, order), skipped: left };
}

export const withTurn = (told: BridgeTold, turnId: string, state: 'started' | 'ended'): BridgeTold => ({
  ...told,
  turns: new Map(told.turns).set(turnId, state),
});

export function withPermission(told: BridgeTold, requestId: string, isOpen: boolean): BridgeTold {
  const permissions = new Set(told.permissions);
  if (isOpen) permissions.add(requestId);
  else permissions.delete(requestId);
  return { ...told, permissions };
}
