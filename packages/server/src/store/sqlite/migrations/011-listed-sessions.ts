/**
 * Sessions as a list shows them, without `info`: it is the largest part of a row, and removing it from thousands of
 * rows at startup would take twice as long. Triggers keep both tables in step. Corrupt rows stay as they are.
 */
export const listedSessionsMigration = `
CREATE TABLE listed_sessions (
  id INTEGER PRIMARY KEY,
  agent TEXT,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX listed_sessions_by_agent ON listed_sessions (agent);

CREATE VIEW session_lines AS
SELECT
  rowid AS id,
  CASE WHEN json_valid(body) THEN body ->> '$.cliType' END AS agent,
  CASE WHEN json_valid(body) THEN json_remove(body, '$.info') ELSE body END AS body
FROM sessions;

CREATE TRIGGER listed_sessions_insert AFTER INSERT ON sessions BEGIN
  INSERT INTO listed_sessions (id, agent, body) SELECT id, agent, body FROM session_lines WHERE id = new.rowid;
END;
CREATE TRIGGER listed_sessions_update AFTER UPDATE OF body ON sessions BEGIN
  DELETE FROM listed_sessions WHERE id = new.rowid;
  INSERT INTO listed_sessions (id, agent, body) SELECT id, agent, body FROM session_lines WHERE id = new.rowid;
END;
CREATE TRIGGER listed_sessions_delete AFTER DELETE ON sessions BEGIN
  DELETE FROM listed_sessions WHERE id = old.rowid;
END;

INSERT INTO listed_sessions (id, agent, body) SELECT id, agent, body FROM session_lines;
`;
