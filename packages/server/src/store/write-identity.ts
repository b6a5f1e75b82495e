import type { OpenRequestRow, StoreWrite } from './rows.ts';

/**
 * Identifies the row a write replaces: of two writes to the same row, only the newer counts. Null for writes that only
 * add.
 */
export function rowOfWrite(write: StoreWrite): string | null {
  switch (write.type) {
    case 'put-session':
      return `session\n${write.row.sessionId}`;
    case 'put-turn':
      return `turn\n${write.row.sessionId}\n${write.row.turnId}`;
    case 'put-item':
      return `item\n${write.row.sessionId}\n${write.row.itemId}`;
    case 'put-output':
      return `output\n${write.sessionId}\n${write.itemId}`;
    case 'put-project':
      return `project\n${write.row.projectId}`;
    case 'put-setting':
      return `setting\n${write.key}`;
    case 'put-comment':
      return `comment\n${write.row.sessionId}\n${write.row.commentId}`;
    case 'put-checkpoint':
      return `checkpoint\n${write.row.sessionId}\n${write.row.turnId}`;
    case 'put-rewind':
      return `rewind\n${write.row.sessionId}\n${write.row.rewindId}`;
    case 'put-undo':
      return `undo\n${write.row.sessionId}\n${write.row.undoId}`;
    case 'put-webhook':
      return `webhook\n${write.row.webhookId}`;
    case 'put-delivery':
      return `delivery\n${write.row.webhookId}\n${write.row.event.id}`;
    case 'put-seen':
      return `seen\n${write.row.sessionId}`;
    case 'put-worktree':
      return `worktree\n${write.row.worktreeId}`;
    case 'put-compare':
      return `compare\n${write.row.compareId}`;
    case 'put-open-request':
      return request(write.row);
    // A decided request isn't open: a pending write that opens it is older.
    case 'add-decision':
      return request(write.decision);
    case 'put-client-message':
    case 'move-client-message':
    case 'remove-client-message':
    case 'remove-comment':
    case 'remove-session':
    case 'remove-webhook':
    case 'remove-delivery':
    case 'remove-seen':
    case 'remove-worktree':
      return null;
  }
}

const request = ({ sessionId, requestId }: OpenRequestRow) => `request\n${sessionId}\n${requestId}`;

/** The session a write is about; empty if none. */
export function sessionOfWrite(write: StoreWrite): string {
  switch (write.type) {
    case 'put-session':
    case 'put-turn':
    case 'put-item':
    case 'put-open-request':
    case 'put-comment':
    case 'put-checkpoint':
    case 'put-undo':
    case 'put-rewind':
      return write.row.sessionId;
    case 'put-output':
    case 'put-client-message':
    case 'move-client-message':
    case 'remove-client-message':
    case 'remove-comment':
    case 'remove-session':
      return write.sessionId;
    case 'add-decision':
      return write.decision.sessionId;
    case 'put-project':
    case 'put-setting':
    case 'put-webhook':
    case 'remove-webhook':
    case 'put-delivery':
    case 'remove-delivery':
    // About a session, but not part of it: it outlives the session until its removal was reported.
    case 'put-seen':
    case 'remove-seen':
    case 'put-worktree':
    case 'remove-worktree':
    case 'put-compare':
      return '';
  }
}
