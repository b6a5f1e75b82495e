/** Finds the message that created a session when only the client's id of that message is known. */
export const firstMessagesMigration = `
  CREATE INDEX client_messages_by_id ON client_messages (client_message_id);
`;
