/** Unanswered requests: after a crash the audit record can report how they ended. */
export const openRequestsMigration = `
CREATE TABLE open_requests (
  session_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, request_id)
) STRICT;
`;
