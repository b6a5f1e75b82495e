import type { PermissionDecision, TidyLimits } from '@liminal/contracts';
import type { ItemFind, ItemSearch } from './item-search.ts';
import type { CheckpointRow, CheckpointSize, CheckpointTimes, CommentRow, RewindRow, UndoRow } from './review-rows.ts';
import type { CompareRow } from './compare-rows.ts';
import type { WorktreeRow } from './worktree-rows.ts';
import type { ItemRow, ListedSessionRow, OpenRequestRow, ProjectRow, SessionRow, StoreWrite, TurnRow } from './rows.ts';
import type { DeliveryRow, SeenSession, WebhookRow } from './webhook-rows.ts';

/** How many were removed. */
export type Tidied = { readonly outputs: number; readonly decisions: number };

/**
 * Everything kept on disk. Each call writes all or nothing, and is durable once the promise resolves; calls made close
 * together share one commit. Reads see every write that has resolved. A row this build can't read is skipped and
 * counted, never fatal.
 */
export interface Store {
  write(writes: readonly StoreWrite[]): Promise<void>;

  projects(): readonly ProjectRow[];
  sessions(): readonly ListedSessionRow[];
  /** Whether any session uses this agent. */
  hasSessionOf(cliType: string): boolean;
  session(sessionId: string): SessionRow | undefined;
  turn(sessionId: string, turnId: string): TurnRow | undefined;
  /** Unfinished turns (queued, sending, running, unknown), in the order they were accepted. */
  openTurns(sessionId?: string): readonly TurnRow[];
  /** Turns of the history below a position, newest first, without rewound ones. */
  turnsBefore(sessionId: string, position: number | null, limit: number): readonly TurnRow[];
  /** In `order`. */
  itemsOfTurn(sessionId: string, turnId: string): readonly ItemRow[];
  hasItemsOfTurn(sessionId: string, turnId: string): boolean;
  item(sessionId: string, itemId: string): ItemRow | undefined;
  /** The item the agent knows by this id. */
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
  /** Undecided requests of all sessions. */
  openRequests(): readonly OpenRequestRow[];
  setting(key: string): unknown;
  /** In the order they were written. */
  comments(sessionId: string): readonly CommentRow[];
  checkpoint(sessionId: string, turnId: string): CheckpointRow | undefined;
  /** In the order the turns started. */
  checkpoints(sessionId: string): readonly CheckpointRow[];
  /** Every checkpoint still kept, in any session, oldest first. */
  checkpointSizes(): readonly CheckpointSize[];
  /** When the turns ran whose checkpoints have this git directory, in any session. */
  checkpointTimes(gitDir: string): readonly CheckpointTimes[];
  undo(sessionId: string, undoId: string): UndoRow | undefined;
  undos(sessionId: string): readonly UndoRow[];
  /** In the order they were started. */
  rewinds(sessionId: string): readonly RewindRow[];
  /** Rewinds of all sessions that a crash may have left unfinished. */
  unfinishedRewinds(): readonly RewindRow[];
  /** In the order they were added. */
  webhooks(): readonly WebhookRow[];
  /** Events a webhook hasn't accepted yet, oldest first. */
  deliveries(webhookId: string): readonly DeliveryRow[];
  seenSessions(): readonly SeenSession[];
  worktrees(): readonly WorktreeRow[];
  /** In the order they were made. */
  compares(): readonly CompareRow[];
  /** Finished items that contain all words, newest first, without those of rewound turns. */
  searchItems(search: ItemSearch): readonly ItemFind[];
  /**
   * Removes rows older than the limits, in small steps between other writes, and frees the space. Writes made meanwhile
   * go first. Closing the store ends it early; the rest is removed next time.
   */
  tidy(limits: TidyLimits): Promise<Tidied>;
  /** Unreadable rows since the start. */
  skippedRows(): number;
  /** Resolves when everything written so far is durable. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
