import { FollowError } from '@liminal/client/follow-session';
import { progressOf } from '@liminal/client/progress-of';
import { isEnded } from '@liminal/domain/items/item-text';
import { attachTerminal } from '../attach/attach-terminal.ts';
import { createTranscript } from '../attach/transcript.ts';
import type { Invocation, Run } from '../base/command.ts';
import { type ExitCode, exitCodes } from '../base/exit-codes.ts';
import { findSession } from '../base/find-session.ts';
import { isInsideAgent } from '../base/inside-agent.ts';
import { reportSettled } from '../base/settle.ts';
import type { Client } from '@liminal/client/connect';

/** Follows a session: in a terminal until the user detaches, in a pipe until the turn has ended. */
export const run: Run = async (invocation) => {
  const { terminal, args, has, env } = invocation;
  const client = await invocation.client();
  if (!client) return exitCodes.failed;
  const found = await findSession(client, args[0] ?? '');
  if (!found.ok) {
    terminal.complain(found.failure);
    return exitCodes.failed;
  }
  try {
    if (!terminal.isPerson || !process.stdin.isTTY) return await attachPipe(invocation, client, found.value);
    await attachTerminal(client, found.value, terminal, {
      isWholeWanted: has('all'),
      mayAnswer: !isInsideAgent(env),
    });
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof FollowError)) throw error;
    terminal.complain(error.failure);
    return exitCodes.failed;
  }
};

async function attachPipe({ terminal, has }: Invocation, client: Client, sessionId: string): Promise<ExitCode> {
  const transcript = createTranscript(terminal.colours, has('all'));
  const printed = new Set<string>();
  let isLost = false;
  for await (const state of client.open(sessionId).follow()) {
    const { timeline, connection } = state;
    if ((connection.phase !== 'open') !== isLost) {
      isLost = !isLost;
      terminal.note(isLost ? 'Disconnected. Retrying…' : 'Reconnected.');
    }
    if (terminal.isJson) {
      const last = timeline.turnIds.at(-1);
      for (const item of timeline.items.values()) {
        if (!isEnded(item) || printed.has(item.itemId) || (!has('all') && item.turnId !== last)) continue;
        printed.add(item.itemId);
        terminal.json(item);
      }
    } else terminal.write(transcript.next(state));
    const progress = progressOf(timeline);
    if (progress.state === 'working' || isLost) continue;
    return reportSettled(terminal, sessionId, { progress, timeline }, false);
  }
  return exitCodes.done;
}
