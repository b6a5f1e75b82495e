import type { Store } from '../store.ts';
import { migrate } from './migrate.ts';
import { openDatabase, openReader, type Statement } from './open-database.ts';
import { createRowReader } from './read-rows.ts';
import { searchItems } from './search-items.ts';
import { takeSessionIdFiles } from './session-id-files.ts';
import { createSqliteWriter } from './sqlite-writer.ts';

type Value = string | number | null;

/** The store on disk: one thread writes with group commit, this thread reads through its own connection. */
export function openSqliteStore(path: string): Store {
  const migrating = openDatabase(path);
  try {
    takeSessionIdFiles(migrating, path);
    migrate(migrating);
  } finally {
    migrating.close();
  }
  const writer = createSqliteWriter(path);
  const database = openReader(path);
  const rows = createRowReader();
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = database.prepare(sql)));
    return statement;
  };
  const one = (sql: string, ...values: Value[]) => prepared(sql).get(...values);
  const many = (sql: string, ...values: Value[]) => prepared(sql).all(...values);
  const known = <Row>(row: Row | undefined): row is Row => row !== undefined;

  return {
    write: (writes) => writer.write(writes),
    tidy: (limits) => writer.tidy(limits),
    idle: () => writer.idle(),
    skippedRows: () => rows.skipped(),
    async close() {
      await writer.close();
      database.close();
    },
    projects: () => many('SELECT body FROM projects ORDER BY rowid').map(rows.project).filter(known),
    sessions: () => many('SELECT body FROM listed_sessions ORDER BY id').map(rows.listedSession).filter(known),
    hasSessionOf: (cliType) => one('SELECT 1 FROM listed_sessions WHERE agent = ? LIMIT 1', cliType) !== undefined,
    session: (sessionId) => rows.session(one('SELECT body FROM sessions WHERE session_id = ?', sessionId)),
    turn: (sessionId, turnId) =>
      rows.turn(one('SELECT body FROM turns WHERE session_id = ? AND turn_id = ?', sessionId, turnId)),
    openTurns: (sessionId) => {
      // The index is named because SQLite would scan every turn to order by id.
      const open = `SELECT body FROM turns INDEXED BY turns_open WHERE state IN ('queued', 'sending', 'running', 'unknown')`;
      const found =
        sessionId === undefined
          ? many(`${open} ORDER BY id`)
          : many(`${open} AND session_id = ? ORDER BY id`, sessionId);
      return found.map(rows.turn).filter(known);
    },
    turnsBefore: (sessionId, position, limit) =>
      many(
        'SELECT body FROM turns WHERE session_id = ? AND position < ? ORDER BY position DESC LIMIT ?',
        sessionId,
        position ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
        .map(rows.turn)
        .filter(known),
    itemsOfTurn: (sessionId, turnId) =>
      many('SELECT * FROM items WHERE session_id = ? AND turn_id = ? ORDER BY "order"', sessionId, turnId)
        .map(rows.item)
        .filter(known),
    hasItemsOfTurn: (sessionId, turnId) =>
      one('SELECT 1 FROM items WHERE session_id = ? AND turn_id = ? LIMIT 1', sessionId, turnId) !== undefined,
    item: (sessionId, itemId) =>
      rows.item(one('SELECT * FROM items WHERE session_id = ? AND item_id = ?', sessionId, itemId)),
    itemBySource: (sessionId, sourceId) =>
      rows.item(one('SELECT * FROM items WHERE session_id = ? AND source_id = ?', sessionId, sourceId)),
    output: (sessionId, itemId) => {
      const row = one('SELECT output FROM outputs WHERE session_id = ? AND item_id = ?', sessionId, itemId);
      return row ? String(row['output']) : undefined;
    },
    turnOfClientMessage: (sessionId, clientMessageId) => {
      const sql = 'SELECT turn_id FROM client_messages WHERE session_id = ? AND client_message_id = ?';
      const row = one(sql, sessionId, clientMessageId);
      return row ? String(row['turn_id']) : undefined;
    },
    turnsOfClientMessage: (clientMessageId) =>
      many('SELECT session_id, turn_id FROM client_messages WHERE client_message_id = ?', clientMessageId).map(
        (row) => ({
          sessionId: String(row['session_id']),
          turnId: String(row['turn_id']),
        }),
      ),
    nextPlaces: (sessionId) => {
      const order = one('SELECT max("order") AS top FROM items WHERE session_id = ?', sessionId)?.['top'];
      const position = one('SELECT max(position) AS top FROM turns WHERE session_id = ?', sessionId)?.['top'];
      return { order: Number(order ?? -1) + 1, position: Number(position ?? -1) + 1 };
    },
    firstPlaces: (sessionId) => {
      const position = one('SELECT min(position) AS low FROM turns WHERE session_id = ?', sessionId)?.['low'];
      const order = one('SELECT min("order") AS low FROM items WHERE session_id = ?', sessionId)?.['low'];
      return typeof position === 'number' ? { order: Number(order ?? 0), position } : undefined;
    },
    decisions: (sessionId) =>
      many('SELECT body FROM decisions WHERE session_id = ? ORDER BY id', sessionId).map(rows.decision).filter(known),
    openRequests: () => many('SELECT body FROM open_requests ORDER BY rowid').map(rows.openRequest).filter(known),
    comments: (sessionId) =>
      many('SELECT body FROM comments WHERE session_id = ? ORDER BY rowid', sessionId).map(rows.comment).filter(known),
    checkpoint: (sessionId, turnId) =>
      rows.checkpoint(one('SELECT body FROM checkpoints WHERE session_id = ? AND turn_id = ?', sessionId, turnId)),
    checkpoints: (sessionId) =>
      many('SELECT body FROM checkpoints WHERE session_id = ? ORDER BY rowid', sessionId)
        .map(rows.checkpoint)
        .filter(known),
    checkpointSizes: () => many(checkpointSizes).map(rows.checkpointSize).filter(known),
    checkpointTimes: (gitDir) => many(checkpointTimes, gitDir).map(rows.checkpointTimes).filter(known),
    undo: (sessionId, undoId) =>
      rows.undo(one('SELECT body FROM undos WHERE session_id = ? AND undo_id = ?', sessionId, undoId)),
    undos: (sessionId) =>
      many('SELECT body FROM undos WHERE session_id = ? ORDER BY rowid', sessionId).map(rows.undo).filter(known),
    webhooks: () => many('SELECT body FROM webhooks ORDER BY rowid').map(rows.webhook).filter(known),
    deliveries: (webhookId) =>
      many('SELECT body FROM webhook_deliveries WHERE webhook_id = ? ORDER BY rowid', webhookId)
        .map(rows.delivery)
        .filter(known),
    seenSessions: () => many('SELECT body FROM seen_sessions ORDER BY rowid').map(rows.seen).filter(known),
    compares: () => many('SELECT body FROM compares ORDER BY rowid').map(rows.compare).filter(known),
    worktrees: () => many('SELECT body FROM worktrees ORDER BY rowid').map(rows.worktree).filter(known),
    rewinds: (sessionId) =>
      many('SELECT body FROM rewinds WHERE session_id = ? ORDER BY rowid', sessionId).map(rows.rewind).filter(known),
    unfinishedRewinds: () =>
      many('SELECT body FROM rewinds WHERE unfinished = 1 ORDER BY rowid').map(rows.rewind).filter(known),
    searchItems: (search) => searchItems(prepared, search),
    setting: (key) => rows.setting(one('SELECT value FROM settings WHERE key = ?', key)),
  };
}

/** SQLite's JSON operators fail on a corrupt body, and the whole query with them. */
const readableCheckpoints = `
WITH readable AS (
  SELECT session_id, turn_id, CASE WHEN json_valid(body) THEN body ELSE '{}' END AS body FROM checkpoints
)`;

/** Only the needed fields of each row: its lists of paths may be long. */
const checkpointSizes = `${readableCheckpoints}
SELECT json_object(
  'sessionId', session_id,
  'turnId', turn_id,
  'folder', body ->> '$.folder',
  'gitDir', body ->> '$.gitDir',
  'at', coalesce(body ->> '$.after.at', body ->> '$.before.at', ''),
  'bytes', coalesce(body ->> '$.before.bytes', 0) + coalesce(body ->> '$.after.bytes', 0)
) AS body
FROM readable
WHERE body ->> '$.pruned' IS NOT 1
ORDER BY coalesce(body ->> '$.after.at', body ->> '$.before.at', '')`;

const checkpointTimes = `${readableCheckpoints}
SELECT json_object(
  'sessionId', session_id,
  'before', body ->> '$.before.at',
  'after', body ->> '$.after.at'
) AS body
FROM readable
WHERE body ->> '$.gitDir' = ? AND body ->> '$.before.at' IS NOT NULL`;
