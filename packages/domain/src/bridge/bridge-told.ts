/** What a channel host has been told of one session, as far as it decides what to tell it next. */
export type BridgeTold = {
  /** Items that have not ended: the text told so far; a call's is empty. */
  readonly open: ReadonlyMap<string, string>;
  /** The highest place of an item that was told: what stands at or before it and is not open has ended. */
  readonly lastOrder: number;
  readonly turns: ReadonlyMap<string, 'started' | 'ended'>;
  /** Requests that wait for an answer. */
  readonly permissions: ReadonlySet<string>;
};

export const nothingTold: BridgeTold = {
  open: new Map(),
  lastOrder: -1,
  turns: new Map(),
  permissions: new Set(),
};

export function withOpen(told: BridgeTold, itemId: string, text: string | null, order: number): BridgeTold {
  const open = new Map(told.open);
  if (text === null) open.delete(itemId);
  else open.set(itemId, text);
  return { ...told, open, lastOrder: Math.max(told.lastOrder, order) };
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
