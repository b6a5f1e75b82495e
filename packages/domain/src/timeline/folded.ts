/** What one message changed in a timeline, so a view updates only that. */
export type Folded = {
  /** Items that are new or have a new state. */
  readonly items: readonly string[];
  /** Items or turns were added, removed or moved. */
  readonly added: boolean;
  /** Turns whose rows may differ now; growing text doesn't change the rows. */
  readonly reshaped: readonly string[];
  /** Turns that started or ended. */
  readonly turns: readonly string[];
  readonly permissions: boolean;
  readonly queue: boolean;
  readonly status: boolean;
  readonly info: boolean;
  readonly comments: boolean;
  /** The folder's files changed, or how closely the server watches them. */
  readonly changes: boolean;
  /** `hasMore` changed. */
  readonly more: boolean;
  /** A history arrived that really differs from the timeline. */
  readonly reset: boolean;
  /** Items with a gap, to request with `session:item`. */
  readonly missing: readonly string[];
};

/** The only value for "nothing changed", so callers can compare with `===`. */
export const nothing: Folded = Object.freeze({
  items: [],
  added: false,
  reshaped: [],
  turns: [],
  permissions: false,
  queue: false,
  status: false,
  info: false,
  comments: false,
  changes: false,
  more: false,
  reset: false,
  missing: [],
});

export const folded = (changed: Partial<Folded>): Folded => ({ ...nothing, ...changed });

/** Combines two successive changes. */
export function mergeFolded(first: Folded, second: Folded): Folded {
  if (first === nothing) return second;
  if (second === nothing) return first;
  const both = (name: 'items' | 'reshaped' | 'turns' | 'missing'): string[] => [
    ...new Set([...first[name], ...second[name]]),
  ];
  return {
    items: both('items'),
    reshaped: both('reshaped'),
    turns: both('turns'),
    missing: both('missing'),
    added: first.added || second.added,
    permissions: first.permissions || second.permissions,
    queue: first.queue || second.queue,
    status: first.status || second.status,
    info: first.info || second.info,
    comments: first.comments || second.comments,
    changes: first.changes || second.changes,
    more: first.more || second.more,
    reset: first.reset || second.reset,
  };
}
