import { z } from 'zod';
import { BridgeEvent, BridgeResult } from './bridge/bridge.ts';
import { FolderChanged } from './review/changes.ts';
import { ClusterView } from './cluster.ts';
import { CompareChanged } from './compare.ts';
import { CommentsReply } from './review/comments.ts';
import { SessionHistory } from './session/history.ts';
import { PermissionNotice } from './session/permission.ts';
import { SessionQueue } from './session/queue.ts';
import { SessionInfo } from './session/session-info.ts';
import { SessionStatus, SessionSummary } from './session/session.ts';
import { TerminalServerMessage } from './terminal.ts';
import { TurnEvent } from './session/turn-event.ts';
import { ItemStatus, UpsertObject } from './session/upsert.ts';
import { WorktreeChanged } from './worktree.ts';

const stamp = { sessionId: z.string().min(1), epoch: z.string().min(1), seq: z.int().nonnegative() };

/**
 * Adds `text` to an item's `content` (a tool call's `toolOutput`) at `offset`, counted in UTF-16 units. With a
 * `status` it also ends the item. Readers ignore text they already have and request a gap with `session:item`.
 */
export const AppendPayload = z.object({
  itemId: z.string().min(1),
  offset: z.int().nonnegative(),
  text: z.string(),
  status: ItemStatus.optional(),
  errorCode: z.string().optional(),
  errorMessage: z.string().optional(),
});
export type AppendPayload = z.infer<typeof AppendPayload>;

export const SessionMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session:history'), ...stamp, ...SessionHistory.shape }),
  z.object({ type: z.literal('session:upsert'), ...stamp, payload: UpsertObject }),
  z.object({ type: z.literal('session:turn'), ...stamp, payload: TurnEvent }),
  z.object({ type: z.literal('session:append'), ...stamp, payload: AppendPayload }),
  z.object({ type: z.literal('session:permission'), ...stamp, payload: PermissionNotice }),
  z.object({ type: z.literal('session:status'), ...stamp, payload: SessionStatus }),
  z.object({ type: z.literal('session:queue'), ...stamp, payload: SessionQueue }),
  z.object({ type: z.literal('session:comments'), ...stamp, payload: CommentsReply }),
  z.object({ type: z.literal('session:changes'), ...stamp, payload: FolderChanged }),
  z.object({ type: z.literal('session:info'), ...stamp, payload: SessionInfo }),
  z.object({ type: z.literal('session:resumed'), ...stamp, verdict: z.enum(['ok', 'gap']) }),
]);
export type SessionMessage = z.infer<typeof SessionMessage>;

export const DirectoryChanged = z.object({
  type: z.literal('directory:changed'),
  sessions: z.array(SessionSummary),
  /** Sessions that are gone. */
  removed: z.array(z.string()).optional(),
  /** The state of the cluster, if it has changed. */
  cluster: ClusterView.optional(),
  /** The reader now has every session that existed when it subscribed: any other that it knows is gone. */
  complete: z.boolean().optional(),
});
export type DirectoryChanged = z.infer<typeof DirectoryChanged>;

export const SocketError = z.object({
  type: z.literal('error'),
  code: z.string(),
  message: z.string(),
  sessionId: z.string().optional(),
  terminalId: z.string().optional(),
});
export type SocketError = z.infer<typeof SocketError>;

/** Everything the server sends on the socket. */
export const ServerMessage = z.union([
  SessionMessage,
  DirectoryChanged,
  SocketError,
  z.object({ type: z.literal('pong') }),
  BridgeResult,
  BridgeEvent,
  TerminalServerMessage,
  WorktreeChanged,
  CompareChanged,
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
