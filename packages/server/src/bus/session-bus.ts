import type { Cursor, SessionHistory } from '@liminal/contracts';
import type { Change, ChangeBody } from '@liminal/domain/delivery/change';

/** How a follower starts: with what changed since its cursor, or with a history that replaces all it held. */
export type CatchUp = { readonly epoch: string; readonly seq: number } & (
  | { readonly verdict: 'ok'; readonly changes: readonly Change[] }
  | { readonly verdict: 'gap' | 'fresh'; readonly history: SessionHistory }
);

export type Follower = {
  /** Called once, before any `changed`; nothing falls between the two. */
  caughtUp(start: CatchUp): void;
  changed(changes: readonly Change[]): void;
  /** The numbering started over or something was removed: follow again, without a cursor. */
  renewed(): void;
};

/** What the owner of a session can always say of it. */
export type FeedSource = {
  history(): SessionHistory;
  /** The newest state of something whose body the feed has let go of. */
  resolve(key: string): ChangeBody | undefined;
};

/** The owner's end: numbers what is published and notifies every follower. */
export type SessionFeed = {
  /** The numbering that holds now. */
  readonly epoch: string;
  /** Returns what was published, with its numbers. */
  publish(bodies: readonly ChangeBody[]): readonly Change[];
  /** How many read it now. */
  followers(): number;
  /** The newest state under a key, while the feed still holds it. */
  newest(key: string): ChangeBody | undefined;
  release(key: string): void;
  /** A new epoch: the numbering starts over and every follower is sent back for a history. */
  renew(): void;
  close(): void;
};

/** The one way from sessions to sockets. Memory serves one machine; a networked bus passes the same contract suite. */
export interface SessionBus {
  open(sessionId: string, source: FeedSource): SessionFeed;
  /** Null when nobody owns the session here. */
  follow(sessionId: string, cursor: Cursor | undefined, follower: Follower): (() => void) | null;
  /** Publishes an item once more, whole, under a new number; false when there is no such item. */
  repeat(sessionId: string, itemId: string): boolean;
}
