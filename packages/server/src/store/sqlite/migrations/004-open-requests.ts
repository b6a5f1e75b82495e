/** Requests nobody has answered: after a sudden end the audit record says what became of them. */
export const openRequestsMigration = `
CREATE TABLE open_requests (
  session_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, request_id)
) STRICT;
`;
