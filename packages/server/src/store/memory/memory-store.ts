import type { PermissionDecision } from '@liminal/contracts';
import type { ItemRow, OpenRequestRow, ProjectRow, SessionRow, StoreWrite, TurnRow } from '../rows.ts';
import { sizeOfCheckpoint, type CheckpointRow, type CommentRow, type RewindRow, type UndoRow } from '../review-rows.ts';
import type { DeliveryRow, SeenSession, WebhookRow } from '../webhook-rows.ts';
import type { Store } from '../store.ts';
import type { CompareRow } from '../compare-rows.ts';
import type { WorktreeRow } from '../worktree-rows.ts';
import { searchMemory } from './search-memory.ts';

const openStates = new Set(['queued', 'sending', 'running', 'unknown']);
/** A row that still has work to do. */
const isUnfinished = ({ state, isBound }: RewindRow): boolean =>
  !isBound || state === 'planned' || state === 'forked' || state === 'undoing';

const both = (sessionId: string, id: string) => `${sessionId}\n${id}`;

/** The same store without a disk, for tests of the layers above it. */
export function createMemoryStore(): Store {
  const projects = new Map<string, ProjectRow>();
  const sessions = new Map<string, SessionRow>();
  const turns = new Map<string, TurnRow>();
  const items = new Map<string, ItemRow>();
  const outputs = new Map<string, { readonly output: string; readonly writtenAt: string }>();
  const clientMessages = new Map<string, string>();
  const openRequests = new Map<string, OpenRequestRow>();
  const comments = new Map<string, CommentRow>();
  const checkpoints = new Map<string, CheckpointRow>();
  const undos = new Map<string, UndoRow>();
  const rewinds = new Map<string, RewindRow>();
  const webhooks = new Map<string, WebhookRow>();
  const deliveries = new Map<string, DeliveryRow>();
  const seen = new Map<string, SeenSession>();
  const worktrees = new Map<string, WorktreeRow>();
  const compares = new Map<string, CompareRow>();
  const settings = new Map<string, unknown>();
  let decisions: PermissionDecision[] = [];

  const apply = (write: StoreWrite): void => {
    switch (write.type) {
      case 'put-project':
        return void projects.set(write.row.projectId, write.row);
      case 'put-session':
        return void sessions.set(write.row.sessionId, write.row);
      case 'remove-session': {
        const prefix = both(write.sessionId, '');
        sessions.delete(write.sessionId);
        decisions = decisions.filter((decision) => decision.sessionId !== write.sessionId);
        for (const map of [
          turns,
          items,
          outputs,
          clientMessages,
          openRequests,
          comments,
          checkpoints,
          undos,
          rewinds,
        ]) {
          for (const key of map.keys()) if (key.startsWith(prefix)) map.delete(key);
        }
        return;
      }
      case 'put-turn':
        return void turns.set(both(write.row.sessionId, write.row.turnId), write.row);
      case 'put-item': {
        const key = both(write.row.sessionId, write.row.itemId);
        const before = items.get(key);
        const { order, turnId } = before ?? write.row;
        return void items.set(key, {
          ...write.row,
          order,
          turnId,
          sourceId: write.row.sourceId ?? before?.sourceId ?? null,
        });
      }
      case 'put-output':
        return void outputs.set(both(write.sessionId, write.itemId), write);
      case 'put-client-message': {
        const key = both(write.sessionId, write.clientMessageId);
        if (!clientMessages.has(key)) clientMessages.set(key, write.turnId);
        return;
      }
      case 'move-client-message':
        return void clientMessages.set(both(write.sessionId, write.clientMessageId), write.turnId);
      case 'remove-client-message':
        return void clientMessages.delete(both(write.sessionId, write.clientMessageId));
      case 'put-open-request':
        return void openRequests.set(both(write.row.sessionId, write.row.requestId), write.row);
      case 'add-decision':
        openRequests.delete(both(write.decision.sessionId, write.decision.requestId));
        return void decisions.push(write.decision);
      case 'put-comment':
        return void comments.set(both(write.row.sessionId, write.row.commentId), write.row);
      case 'remove-comment':
        return void comments.delete(both(write.sessionId, write.commentId));
      case 'put-checkpoint':
        return void checkpoints.set(both(write.row.sessionId, write.row.turnId), write.row);
      case 'put-undo':
        return void undos.set(both(write.row.sessionId, write.row.undoId), write.row);
      case 'put-webhook':
        return void webhooks.set(write.row.webhookId, write.row);
      case 'remove-webhook':
        webhooks.delete(write.webhookId);
        for (const [key, row] of deliveries) if (row.webhookId === write.webhookId) deliveries.delete(key);
        return;
      case 'put-delivery':
        return void deliveries.set(both(write.row.webhookId, write.row.event.id), write.row);
      case 'remove-delivery':
        return void deliveries.delete(both(write.webhookId, write.eventId));
      case 'put-seen':
        return void seen.set(write.row.sessionId, write.row);
      case 'remove-seen':
        return void seen.delete(write.sessionId);
      case 'put-compare':
        return void compares.set(write.row.compareId, write.row);
      case 'put-worktree':
        return void worktrees.set(write.row.worktreeId, write.row);
      case 'remove-worktree':
        return void worktrees.delete(write.worktreeId);
      case 'put-rewind':
        return void rewinds.set(both(write.row.sessionId, write.row.rewindId), write.row);
      case 'put-setting':
        return void settings.set(write.key, write.value);
    }
  };
  const itemsOf = (sessionId: string) => [...items.values()].filter((row) => row.sessionId === sessionId);
  const turnsOf = (sessionId: string) => [...turns.values()].filter((row) => row.sessionId === sessionId);

  return {
    async write(writes) {
      // A copy, as a disk would keep: later changes to the caller's objects must not affect the store.
      for (const write of structuredClone(writes)) apply(write);
    },
    projects: () => [...projects.values()],
    sessions: () => [...sessions.values()].map(({ info: _info, ...row }) => row),
    hasSessionOf: (cliType) => [...sessions.values()].some((row) => row.cliType === cliType),
    session: (sessionId) => sessions.get(sessionId),
    turn: (sessionId, turnId) => turns.get(both(sessionId, turnId)),
    openTurns: (sessionId) =>
      [...turns.values()].filter(
        (row) => openStates.has(row.state) && (sessionId === undefined || row.sessionId === sessionId),
      ),
    turnsBefore: (sessionId, position, limit) =>
      turnsOf(sessionId)
        .filter((row) => row.position !== null && row.position < (position ?? Infinity))
        .toSorted((a, b) => (b.position ?? 0) - (a.position ?? 0))
        .slice(0, limit),
    itemsOfTurn: (sessionId, turnId) =>
      itemsOf(sessionId)
        .filter((row) => row.turnId === turnId)
        .toSorted((a, b) => a.order - b.order),
    hasItemsOfTurn: (sessionId, turnId) => itemsOf(sessionId).some((row) => row.turnId === turnId),
    item: (sessionId, itemId) => items.get(both(sessionId, itemId)),
    itemBySource: (sessionId, sourceId) => itemsOf(sessionId).find((row) => row.sourceId === sourceId),
    output: (sessionId, itemId) => outputs.get(both(sessionId, itemId))?.output,
    turnOfClientMessage: (sessionId, clientMessageId) => clientMessages.get(both(sessionId, clientMessageId)),
    turnsOfClientMessage: (clientMessageId) =>
      [...clientMessages].flatMap(([key, turnId]) => {
        const [sessionId = '', ...id] = key.split('\n');
        return id.join('\n') === clientMessageId ? [{ sessionId, turnId }] : [];
      }),
    nextPlaces: (sessionId) => ({
      order: Math.max(-1, ...itemsOf(sessionId).map((row) => row.order)) + 1,
      position: Math.max(-1, ...turnsOf(sessionId).map((row) => row.position ?? -1)) + 1,
    }),
    firstPlaces: (sessionId) => {
      const positions = turnsOf(sessionId).flatMap((row) => (row.position === null ? [] : [row.position]));
      if (positions.length === 0) return undefined;
      const order = Math.min(...itemsOf(sessionId).map((row) => row.order));
      return { order: Number.isFinite(order) ? order : 0, position: Math.min(...positions) };
    },
    decisions: (sessionId) => decisions.filter((decision) => decision.sessionId === sessionId),
    openRequests: () => [...openRequests.values()],
    comments: (sessionId) => [...comments.values()].filter((row) => row.sessionId === sessionId),
    checkpoint: (sessionId, turnId) => checkpoints.get(both(sessionId, turnId)),
    checkpointSizes: () =>
      [...checkpoints.values()]
        .filter(({ pruned }) => !pruned)
        .map(sizeOfCheckpoint)
        .toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    checkpointTimes: (gitDir) =>
      [...checkpoints.values()].flatMap((row) =>
        row.gitDir === gitDir && row.before
          ? [{ sessionId: row.sessionId, before: row.before.at, after: row.after?.at ?? null }]
          : [],
      ),
    checkpoints: (sessionId) => [...checkpoints.values()].filter((row) => row.sessionId === sessionId),
    undo: (sessionId, undoId) => undos.get(both(sessionId, undoId)),
    undos: (sessionId) => [...undos.values()].filter((row) => row.sessionId === sessionId),
    webhooks: () => [...webhooks.values()],
    deliveries: (webhookId) => [...deliveries.values()].filter((row) => row.webhookId === webhookId),
    seenSessions: () => [...seen.values()],
    compares: () => [...compares.values()],
    worktrees: () => [...worktrees.values()],
    rewinds: (sessionId) => [...rewinds.values()].filter((row) => row.sessionId === sessionId),
    unfinishedRewinds: () => [...rewinds.values()].filter(isUnfinished),
    setting: (key) => settings.get(key),
    searchItems: (search) =>
      searchMemory(
        [...items.values()].filter((row) => turns.get(both(row.sessionId, row.turnId))?.state !== 'rewound'),
        (row) => turns.get(both(row.sessionId, row.turnId))?.state === 'cancelled',
        search,
      ),
    async tidy({ outputsBefore, decisionsBefore }) {
      const old = [...outputs].filter(([, { writtenAt }]) => outputsBefore !== null && writtenAt < outputsBefore);
      for (const [key] of old) outputs.delete(key);
      const kept = decisions.filter(({ at }) => decisionsBefore === null || at >= decisionsBefore);
      const removed = decisions.length - kept.length;
      decisions = kept;
      return { outputs: old.length, decisions: removed };
    },
    skippedRows: () => 0,
    idle: async () => {},
    close: async () => {},
  };
}
