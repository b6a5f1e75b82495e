import type { PermissionRequest } from '@liminal/contracts';
import type { LightClient } from '@liminal/client/connect-light';
import { FollowError } from '@liminal/client/follow-session';
import type { Progress } from '@liminal/client/progress-of';
import type { Settled } from '@liminal/client/server-link';
import { answerIn } from './answer-in.ts';
import type { Invocation } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { type Terminal, visible } from './terminal.ts';
import { timeoutOf } from './timeout-of.ts';

const codes: Record<Exclude<Progress['state'], 'working'>, ExitCode> = {
  done: exitCodes.done,
  waiting: exitCodes.waiting,
  failed: exitCodes.turnFailed,
  stopped: exitCodes.turnFailed,
};

/** How the user can answer open requests. */
const waitingSentence = (sessionId: string, requests: readonly PermissionRequest[]): string =>
  [
    ...requests.map(({ title }) => `Needs approval: ${visible(title)}`),
    `Answer with \`liminal allow ${sessionId}\`, \`liminal refuse ${sessionId}\`, or in the page.`,
  ].join('\n');

/** Reports how a turn ended: the answer on stdout, everything else on stderr. */
export function reportSettled(
  terminal: Terminal,
  sessionId: string,
  settled: Settled,
  isAnswerWanted: boolean,
): ExitCode {
  const { progress } = settled;
  if (progress.state === 'working') return exitCodes.done;
  const answer = answerIn(settled);
  if (terminal.isJson) {
    const { state } = progress;
    const message = 'message' in progress ? progress.message : undefined;
    const turnId = 'turnId' in progress ? progress.turnId : undefined;
    const requests = progress.state === 'waiting' ? progress.requests : undefined;
    terminal.json({ sessionId, state, turnId, message, answer, requests });
    return codes[state];
  }
  if (isAnswerWanted && answer !== undefined) terminal.line(visible(answer));
  switch (progress.state) {
    case 'waiting':
      terminal.note(waitingSentence(sessionId, progress.requests));
      break;
    case 'failed':
      terminal.note(`The turn failed. ${visible(progress.message ?? '')}`.trim());
      break;
    case 'stopped':
      terminal.note('The turn was stopped.');
      break;
    case 'done':
      if (!isAnswerWanted) terminal.note('Done.');
      break;
  }
  return codes[progress.state];
}

/** Waits for a turn or the whole session, within the time of --timeout. */
export async function settle(
  { terminal, flag }: Pick<Invocation, 'terminal' | 'flag'>,
  client: LightClient,
  sessionId: string,
  turnId: string | undefined,
): Promise<ExitCode> {
  const timeout = timeoutOf(flag('timeout')) ?? null;
  const signal = timeout === null ? undefined : AbortSignal.timeout(timeout);
  try {
    const settled = await client.open(sessionId).settled(turnId, signal && { signal });
    return reportSettled(terminal, sessionId, settled, turnId !== undefined);
  } catch (error) {
    if (signal?.aborted) {
      terminal.complain({ code: 'TIME', message: 'The session is still working, and --timeout ran out.' });
      return exitCodes.time;
    }
    if (!(error instanceof FollowError)) throw error;
    terminal.complain(error.failure);
    return exitCodes.failed;
  }
}
