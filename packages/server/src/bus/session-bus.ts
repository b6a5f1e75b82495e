import type { Cursor, SessionHistory } from '@liminal/contracts';
import type { Change, ChangeBody } from '@liminal/domain/delivery/change';

/** How a follower starts: with the changes since its cursor, or with a history that replaces everything it held. */
export type CatchUp = { readonly epoch: string; readonly seq: number } & (
  | { readonly verdict: 'ok'; readonly changes: readonly Change[] }
  | { readonly verdict: 'gap' | 'fresh'; readonly history: SessionHistory }
);

export type Follower = {
  /** Called once, before any `changed`; no change is lost between the two. */
  caughtUp(start: CatchUp): void;
  changed(changes: readonly Change[]): void;
  /** The numbering started over or something was removed: follow again, without a cursor. */
  renewed(): void;
};

/** What the owner of a session can provide at any time. */
export type FeedSource = {
  history(): SessionHistory;
  /** The newest state of something whose body the feed no longer holds. */
  resolve(key: string): ChangeBody | undefined;
};

/** The owner's end: numbers changes and sends them to every follower. */
export type SessionFeed = {
  /** The current numbering. */
  readonly epoch: string;
  /** Returns what was published, with its numbers. */
  publish(bodies: readonly ChangeBody[]): readonly Change[];
  /** The number of current followers. */
  followers(): number;
  /** The newest state under a key, while the feed still holds it. */
  newest(key: string): ChangeBody | undefined;
  release(key: string): void;
  /** Starts a new epoch: the numbering starts over and every follower needs a new history. */
  renew(): void;
  close(): void;
};

/**
 * The only path from sessions to sockets. The memory bus serves one machine; a networked bus passes the same contract
 * suite.
 */
export interface SessionBus {
  open(sessionId: string, source: FeedSource): SessionFeed;
  /** Null when no machine owns the session. */
  follow(sessionId: string, cursor: Cursor | undefined, follower: Follower): (() => void) | null;
  /** Publishes an item again, in full, under a new number; false when there is no such item. */
  repeat(sessionId: string, itemId: string): boolean;
}
