/** Finds a message that created its session without knowing the session's id. */
export const firstMessagesMigration = `
  CREATE INDEX client_messages_by_id ON client_messages (client_message_id);
`;
