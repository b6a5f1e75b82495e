/** What a channel host has received from one session, as far as it affects what to send next. */
export type HostState = {
  /** Open items with the text sent so far; empty for a call. */
  readonly open: ReadonlyMap<string, string>;
  /** The highest `order` sent. Items up to it that aren't open have ended. */
  readonly lastOrder: number;
  /** Lower orders that were skipped: their items are still to come. */
  readonly skipped: ReadonlySet<number>;
  readonly turns: ReadonlyMap<string, 'started' | 'ended'>;
  /** Open permission requests. */
  readonly permissions: ReadonlySet<string>;
};

export const emptyHostState: HostState = {
  open: new Map(),
  lastOrder: -1,
  skipped: new Set(),
  turns: new Map(),
  permissions: new Set(),
};

export function withOpen(host: HostState, itemId: string, text: string | null, order: number): HostState {
  const open = new Map(host.open);
  if (text === null) open.delete(itemId);
  else open.set(itemId, text);
  return { ...host, open, ...passedTo(host, order) };
}

/** Nothing more will be sent for this item. */
export const hasEnded = (host: HostState, itemId: string, order: number): boolean =>
  !host.open.has(itemId) && order <= host.lastOrder && !host.skipped.has(order);

/** Items before this order belong to a part of the history that isn't sent to this host. */
export const beginningAt = (host: HostState, order: number): HostState =>
  order - 1 > host.lastOrder ? { ...host, lastOrder: order - 1 } : host;

/** States are sent in the order of their last change, so a later item may be sent before an earlier one. */
function passedTo({ lastOrder, skipped }: HostState, order: number): Pick<HostState, 'lastOrder' | 'skipped'> {
  if (order === lastOrder + 1) return { lastOrder: order, skipped };
  const left = new Set(skipped);
  left.delete(order);
  for (let passed = lastOrder + 1; passed < order; passed += 1) left.add(passed);
  return { lastOrder: Math.max(lastOrder, order), skipped: left };
}

export const withTurn = (host: HostState, turnId: string, state: 'started' | 'ended'): HostState => ({
  ...host,
  turns: new Map(host.turns).set(turnId, state),
});

export function withPermission(host: HostState, requestId: string, isOpen: boolean): HostState {
  const permissions = new Set(host.permissions);
  if (isOpen) permissions.add(requestId);
  else permissions.delete(requestId);
  return { ...host, permissions };
}
