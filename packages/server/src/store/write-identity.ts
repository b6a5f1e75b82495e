import type { StoreWrite } from './rows.ts';

/** The row a write gives a new state: of two writes with the same one, only the newer counts. Null for what only adds. */
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
    case 'put-client-message':
    case 'add-decision':
    case 'remove-session':
      return null;
  }
}

/** The session a write is about; empty for what belongs to none. */
export function sessionOfWrite(write: StoreWrite): string {
  switch (write.type) {
    case 'put-session':
    case 'put-turn':
    case 'put-item':
      return write.row.sessionId;
    case 'put-output':
    case 'put-client-message':
    case 'remove-session':
      return write.sessionId;
    case 'add-decision':
      return write.decision.sessionId;
    case 'put-project':
    case 'put-setting':
      return '';
  }
}
