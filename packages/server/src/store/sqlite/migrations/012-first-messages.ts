/** A message that came with its session is found again without knowing which session that became. */
export const firstMessagesMigration = `
  CREATE INDEX client_messages_by_id ON client_messages (client_message_id);
`;
