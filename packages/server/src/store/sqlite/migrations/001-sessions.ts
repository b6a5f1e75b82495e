/** Columns hold what queries use, JSON holds the rest, so a new field needs no migration. */
export const sessionsMigration = `
CREATE TABLE projects (
  project_id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE turns (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  state TEXT NOT NULL,
  position INTEGER,
  body TEXT NOT NULL,
  UNIQUE (session_id, turn_id)
) STRICT;
CREATE INDEX turns_by_position ON turns (session_id, position);
CREATE INDEX turns_open ON turns (session_id, id) WHERE state IN ('queued', 'sending', 'running', 'unknown');

CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  item_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  "order" INTEGER NOT NULL,
  source_id TEXT,
  body TEXT NOT NULL,
  UNIQUE (session_id, item_id)
) STRICT;
CREATE INDEX items_by_turn ON items (session_id, turn_id, "order");
CREATE INDEX items_by_order ON items (session_id, "order");
CREATE INDEX items_by_source ON items (session_id, source_id) WHERE source_id IS NOT NULL;

CREATE TABLE outputs (
  session_id TEXT NOT NULL,
  item_id TEXT NOT NULL,
  output TEXT NOT NULL,
  PRIMARY KEY (session_id, item_id)
) STRICT;

CREATE TABLE client_messages (
  session_id TEXT NOT NULL,
  client_message_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  PRIMARY KEY (session_id, client_message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_by_session ON decisions (session_id);

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
