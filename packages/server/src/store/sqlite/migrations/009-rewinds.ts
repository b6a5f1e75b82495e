/** Rewinds, with the state of each. */
export const rewindsMigration = `
  CREATE TABLE rewinds (
    session_id TEXT NOT NULL,
    rewind_id TEXT NOT NULL,
    unfinished INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session_id, rewind_id)
  ) STRICT;
  CREATE INDEX unfinished_rewinds ON rewinds (unfinished) WHERE unfinished = 1;
`;
