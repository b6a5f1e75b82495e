import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { findSession } from '../base/find-session.ts';
import { settle } from '../base/settle.ts';

/** Waits until the session has nothing left to do, or needs the user. */
export const run: Run = async (invocation) => {
  const client = await invocation.lightClient();
  if (!client) return exitCodes.failed;
  const found = await findSession(client, invocation.args[0] ?? '');
  if (found.ok) return settle(invocation, client, found.value, undefined);
  invocation.terminal.complain(found.failure);
  return exitCodes.failed;
};
