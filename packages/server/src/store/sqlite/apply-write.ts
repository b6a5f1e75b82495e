import type { StoreWrite } from '../rows.ts';
import type { Database, Statement } from './open-database.ts';

/** Applies one write in the open transaction. Statements are prepared once per connection. */
export function createWriteApplier(database: Database): (write: StoreWrite) => void {
  const statements = new Map<string, Statement>();
  const run = (sql: string, ...values: (string | number | null)[]) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = database.prepare(sql)));
    statement.run(...values);
  };
  /** Writes a row to a table that stores it as JSON under its key. */
  const put = (table: string, key: Readonly<Record<string, string>>, row: object) => {
    const columns = Object.keys(key);
    run(
      `INSERT INTO ${table} (${columns.join(', ')}, body) VALUES (${columns.map(() => '?').join(', ')}, ?)
       ON CONFLICT DO UPDATE SET body = excluded.body`,
      ...Object.values(key),
      JSON.stringify(row),
    );
  };
  const remove = (table: string, key: Readonly<Record<string, string>>) => {
    const wanted = Object.keys(key).map((column) => `${column} = ?`);
    run(`DELETE FROM ${table} WHERE ${wanted.join(' AND ')}`, ...Object.values(key));
  };
  return (write) => {
    switch (write.type) {
      case 'put-project':
        return put('projects', { project_id: write.row.projectId }, write.row);
      case 'put-session':
        return put('sessions', { session_id: write.row.sessionId }, write.row);
      case 'remove-session':
        for (const table of [
          'sessions',
          'turns',
          'items',
          'outputs',
          'client_messages',
          'decisions',
          'open_requests',
          'comments',
          'checkpoints',
          'undos',
          'rewinds',
        ]) {
          remove(table, { session_id: write.sessionId });
        }
        return;
      case 'put-turn':
        return run(
          `INSERT INTO turns (session_id, turn_id, state, position, body) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (session_id, turn_id) DO UPDATE SET
             state = excluded.state, position = excluded.position, body = excluded.body`,
          write.row.sessionId,
          write.row.turnId,
          write.row.state,
          write.row.position,
          JSON.stringify(write.row),
        );
      case 'put-item':
        return run(
          `INSERT INTO items (session_id, item_id, turn_id, "order", source_id, epoch, seq, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (session_id, item_id) DO UPDATE SET
             body = excluded.body, epoch = excluded.epoch, seq = excluded.seq, source_id = coalesce(excluded.source_id, source_id)`,
          write.row.sessionId,
          write.row.itemId,
          write.row.turnId,
          write.row.order,
          write.row.sourceId,
          write.row.change?.epoch ?? null,
          write.row.change?.seq ?? null,
          JSON.stringify(write.row.body),
        );
      case 'put-output':
        return run(
          `INSERT INTO outputs (session_id, item_id, output, written_at) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET output = excluded.output, written_at = excluded.written_at`,
          write.sessionId,
          write.itemId,
          write.output,
          write.writtenAt,
        );
      case 'put-client-message':
        return run(
          'INSERT INTO client_messages (session_id, client_message_id, turn_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          write.sessionId,
          write.clientMessageId,
          write.turnId,
        );
      case 'move-client-message':
        return run(
          'UPDATE client_messages SET turn_id = ? WHERE session_id = ? AND client_message_id = ?',
          write.turnId,
          write.sessionId,
          write.clientMessageId,
        );
      case 'remove-client-message':
        return remove('client_messages', { session_id: write.sessionId, client_message_id: write.clientMessageId });
      case 'put-open-request':
        return run(
          'INSERT INTO open_requests (session_id, request_id, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          write.row.sessionId,
          write.row.requestId,
          JSON.stringify(write.row),
        );
      case 'add-decision':
        remove('open_requests', { session_id: write.decision.sessionId, request_id: write.decision.requestId });
        return run(
          'INSERT INTO decisions (session_id, body) VALUES (?, ?)',
          write.decision.sessionId,
          JSON.stringify(write.decision),
        );
      case 'put-comment':
        return put('comments', { session_id: write.row.sessionId, comment_id: write.row.commentId }, write.row);
      case 'remove-comment':
        return remove('comments', { session_id: write.sessionId, comment_id: write.commentId });
      case 'put-checkpoint':
        return put('checkpoints', { session_id: write.row.sessionId, turn_id: write.row.turnId }, write.row);
      case 'put-rewind':
        return run(
          `INSERT INTO rewinds (session_id, rewind_id, unfinished, body) VALUES (?, ?, ?, ?)
           ON CONFLICT (session_id, rewind_id) DO UPDATE SET unfinished = excluded.unfinished, body = excluded.body`,
          write.row.sessionId,
          write.row.rewindId,
          !write.row.isBound || ['planned', 'forked', 'undoing'].includes(write.row.state) ? 1 : 0,
          JSON.stringify(write.row),
        );
      case 'put-undo':
        return put('undos', { session_id: write.row.sessionId, undo_id: write.row.undoId }, write.row);
      case 'put-webhook':
        return put('webhooks', { webhook_id: write.row.webhookId }, write.row);
      case 'remove-webhook':
        remove('webhook_deliveries', { webhook_id: write.webhookId });
        return remove('webhooks', { webhook_id: write.webhookId });
      case 'put-delivery':
        return put('webhook_deliveries', { webhook_id: write.row.webhookId, event_id: write.row.event.id }, write.row);
      case 'remove-delivery':
        return remove('webhook_deliveries', { webhook_id: write.webhookId, event_id: write.eventId });
      case 'put-seen':
        return put('seen_sessions', { session_id: write.row.sessionId }, write.row);
      case 'remove-seen':
        return remove('seen_sessions', { session_id: write.sessionId });
      case 'put-worktree':
        return put('worktrees', { worktree_id: write.row.worktreeId }, write.row);
      case 'remove-worktree':
        return remove('worktrees', { worktree_id: write.worktreeId });
      case 'put-compare':
        return put('compares', { compare_id: write.row.compareId }, write.row);
      case 'put-setting':
        return run(
          'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
          write.key,
          JSON.stringify(write.value),
        );
    }
  };
}
