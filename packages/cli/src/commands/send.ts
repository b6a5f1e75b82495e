import { randomUUID } from 'node:crypto';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { findSession } from '../base/find-session.ts';
import { readMessage } from '../base/read-message.ts';
import { settle } from '../base/settle.ts';

/** Sends a message. It is on disk when this returns. */
export const run: Run = async (invocation) => {
  const { terminal, args, has } = invocation;
  const client = await invocation.client();
  if (!client) return exitCodes.failed;
  const found = await findSession(client, args[0] ?? '');
  if (!found.ok) {
    terminal.complain(found.failure);
    return exitCodes.failed;
  }
  const sessionId = found.value;
  const content = await readMessage(args[1] ?? '');
  const sent = await client.open(sessionId).send(content, {
    clientMessageId: randomUUID(),
    ...(has('steer') && { mode: 'steer' }),
  });
  if (!sent.ok) {
    terminal.complain(sent.failure);
    return exitCodes.failed;
  }
  const { turnId } = sent.value;
  if (terminal.isJson) terminal.json({ sessionId, turnId });
  else if (!has('wait')) terminal.note('Sent.');
  return has('wait') ? settle(invocation, client, sessionId, turnId) : exitCodes.done;
};
