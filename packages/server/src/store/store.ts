import type { PermissionDecision } from '@liminal/contracts';
import type { ItemFind, ItemSearch } from './item-search.ts';
import type { CheckpointRow, CheckpointSize, CommentRow, RewindRow, UndoRow } from './review-rows.ts';
import type { CompareRow } from './compare-rows.ts';
import type { WorktreeRow } from './worktree-rows.ts';
import type { ItemRow, ListedSessionRow, OpenRequestRow, ProjectRow, SessionRow, StoreWrite, TurnRow } from './rows.ts';
import type { DeliveryRow, SeenSession, WebhookRow } from './webhook-rows.ts';

/** Whole outputs and permission decisions from before these times are removed; null keeps all of them. */
export type TidyLimits = { readonly outputsBefore: string | null; readonly decisionsBefore: string | null };

/** How many were removed. */
export type Tidied = { readonly outputs: number; readonly decisions: number };

/**
 * What is kept on disk. Writes are all-or-nothing per call and durable once the promise resolves; calls made close
 * together share one commit. Reads see every write that has resolved. A row this build cannot read is skipped and
 * counted, never fatal.
 */
export interface Store {
  write(writes: readonly StoreWrite[]): Promise<void>;

  projects(): readonly ProjectRow[];
  sessions(): readonly ListedSessionRow[];
  /** Whether there is a session with this agent. */
  hasSessionOf(cliType: string): boolean;
  session(sessionId: string): SessionRow | undefined;
  turn(sessionId: string, turnId: string): TurnRow | undefined;
  /** Turns that have not ended: queued, sending, running, unknown; in the order they were accepted. */
  openTurns(sessionId?: string): readonly TurnRow[];
  /** Turns of the history below a position, newest first; without those that were taken back. */
  turnsBefore(sessionId: string, position: number | null, limit: number): readonly TurnRow[];
  /** In `order`. */
  itemsOfTurn(sessionId: string, turnId: string): readonly ItemRow[];
  item(sessionId: string, itemId: string): ItemRow | undefined;
  /** Our item that the agent knows by this id of its own. */
  itemBySource(sessionId: string, sourceId: string): ItemRow | undefined;
  output(sessionId: string, itemId: string): string | undefined;
  turnOfClientMessage(sessionId: string, clientMessageId: string): string | undefined;
  /** The sessions that have a message with this id, and its turn in each. */
  turnsOfClientMessage(clientMessageId: string): readonly { readonly sessionId: string; readonly turnId: string }[];
  /** One past the highest item order and turn position of a session. */
  nextPlaces(sessionId: string): { readonly order: number; readonly position: number };
  /** The lowest item order and turn position of a session; nothing when it has no turn yet. */
  firstPlaces(sessionId: string): { readonly order: number; readonly position: number } | undefined;
  decisions(sessionId: string): readonly PermissionDecision[];
  /** Requests no decision was made about, of all sessions. */
  openRequests(): readonly OpenRequestRow[];
  setting(key: string): unknown;
  /** In the order they were written. */
  comments(sessionId: string): readonly CommentRow[];
  checkpoint(sessionId: string, turnId: string): CheckpointRow | undefined;
  /** In the order of the turns' beginnings. */
  checkpoints(sessionId: string): readonly CheckpointRow[];
  /** Of every checkpoint that is still kept, in whatever session, oldest first. */
  checkpointSizes(): readonly CheckpointSize[];
  undo(sessionId: string, undoId: string): UndoRow | undefined;
  /** In the order they were begun. */
  rewinds(sessionId: string): readonly RewindRow[];
  /** Of all sessions, those a sudden end may have left in the middle. */
  unfinishedRewinds(): readonly RewindRow[];
  /** In the order they were added. */
  webhooks(): readonly WebhookRow[];
  /** What a webhook has not taken yet, oldest first. */
  deliveries(webhookId: string): readonly DeliveryRow[];
  seenSessions(): readonly SeenSession[];
  worktrees(): readonly WorktreeRow[];
  /** In the order they were made. */
  compares(): readonly CompareRow[];
  /** Items that have ended in which all words are found, newest first; without those of turns that were taken back. */
  searchItems(search: ItemSearch): readonly ItemFind[];
  /**
   * Removes what is older than the limits, in small steps between other writes, and gives the space back. Writes asked
   * for meanwhile go first. When the store is closed it ends early; the rest goes the next time.
   */
  tidy(limits: TidyLimits): Promise<Tidied>;
  /** Rows that could not be read since the start. */
  skippedRows(): number;
  /** Resolves when everything handed in so far is durable. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
