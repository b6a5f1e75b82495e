import type { StoreWrite } from '../rows.ts';
import type { Database, Statement } from './open-database.ts';

/** Puts one write into the open transaction. Statements are prepared once per connection. */
export function createWriteApplier(database: Database): (write: StoreWrite) => void {
  const statements = new Map<string, Statement>();
  const run = (sql: string, ...values: (string | number | null)[]) => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = database.prepare(sql)));
    statement.run(...values);
  };
  return (write) => {
    switch (write.type) {
      case 'put-project':
        return run(
          'INSERT INTO projects (project_id, body) VALUES (?, ?) ON CONFLICT (project_id) DO UPDATE SET body = excluded.body',
          write.row.projectId,
          JSON.stringify(write.row),
        );
      case 'put-session':
        return run(
          'INSERT INTO sessions (session_id, body) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET body = excluded.body',
          write.row.sessionId,
          JSON.stringify(write.row),
        );
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
          run(`DELETE FROM ${table} WHERE session_id = ?`, write.sessionId);
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
        return run(
          'DELETE FROM client_messages WHERE session_id = ? AND client_message_id = ?',
          write.sessionId,
          write.clientMessageId,
        );
      case 'put-open-request':
        return run(
          'INSERT INTO open_requests (session_id, request_id, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          write.row.sessionId,
          write.row.requestId,
          JSON.stringify(write.row),
        );
      case 'add-decision':
        run(
          'DELETE FROM open_requests WHERE session_id = ? AND request_id = ?',
          write.decision.sessionId,
          write.decision.requestId,
        );
        return run(
          'INSERT INTO decisions (session_id, body) VALUES (?, ?)',
          write.decision.sessionId,
          JSON.stringify(write.decision),
        );
      case 'put-comment':
        return run(
          'INSERT INTO comments (session_id, comment_id, body) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.sessionId,
          write.row.commentId,
          JSON.stringify(write.row),
        );
      case 'remove-comment':
        return run('DELETE FROM comments WHERE session_id = ? AND comment_id = ?', write.sessionId, write.commentId);
      case 'put-checkpoint':
        return run(
          'INSERT INTO checkpoints (session_id, turn_id, body) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.sessionId,
          write.row.turnId,
          JSON.stringify(write.row),
        );
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
        return run(
          'INSERT INTO undos (session_id, undo_id, body) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.sessionId,
          write.row.undoId,
          JSON.stringify(write.row),
        );
      case 'put-webhook':
        return run(
          'INSERT INTO webhooks (webhook_id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.webhookId,
          JSON.stringify(write.row),
        );
      case 'remove-webhook':
        run('DELETE FROM webhook_deliveries WHERE webhook_id = ?', write.webhookId);
        return run('DELETE FROM webhooks WHERE webhook_id = ?', write.webhookId);
      case 'put-delivery':
        return run(
          'INSERT INTO webhook_deliveries (webhook_id, event_id, body) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.webhookId,
          write.row.event.id,
          JSON.stringify(write.row),
        );
      case 'remove-delivery':
        return run(
          'DELETE FROM webhook_deliveries WHERE webhook_id = ? AND event_id = ?',
          write.webhookId,
          write.eventId,
        );
      case 'put-seen':
        return run(
          'INSERT INTO seen_sessions (session_id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.sessionId,
          JSON.stringify(write.row),
        );
      case 'remove-seen':
        return run('DELETE FROM seen_sessions WHERE session_id = ?', write.sessionId);
      case 'put-worktree':
        return run(
          'INSERT INTO worktrees (worktree_id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.worktreeId,
          JSON.stringify(write.row),
        );
      case 'remove-worktree':
        return run('DELETE FROM worktrees WHERE worktree_id = ?', write.worktreeId);
      case 'put-compare':
        return run(
          'INSERT INTO compares (compare_id, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
          write.row.compareId,
          JSON.stringify(write.row),
        );
      case 'put-setting':
        return run(
          'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
          write.key,
          JSON.stringify(write.value),
        );
    }
  };
}
