/** Webhooks, the events they haven't accepted yet, and the session states that events were made from. */
export const webhooksMigration = `
CREATE TABLE webhooks (
  webhook_id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE webhook_deliveries (
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (webhook_id, event_id)
) STRICT;
CREATE TABLE seen_sessions (
  session_id TEXT PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;
`;
