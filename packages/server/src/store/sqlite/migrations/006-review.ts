/** Comments on changes, folders before and after each turn, and discards that can be undone. Old turns have no rows. */
export const reviewMigration = `
CREATE TABLE comments (
  session_id TEXT NOT NULL,
  comment_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, comment_id)
) STRICT;
CREATE TABLE checkpoints (
  session_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, turn_id)
) STRICT;
CREATE TABLE undos (
  session_id TEXT NOT NULL,
  undo_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, undo_id)
) STRICT;
`;
