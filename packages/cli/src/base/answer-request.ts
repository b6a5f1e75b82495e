import type { PermissionOption, PermissionRequest } from '@liminal/contracts';
import { FollowError } from '@liminal/client/follow-session';
import type { Invocation } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { findSession } from './find-session.ts';
import { insideAgentFailure, isInsideAgent } from './inside-agent.ts';
import { visible } from './terminal.ts';

type Choice = { readonly optionId: string; readonly feedback?: string };

/** The option of this kind with the narrowest scope. */
export const optionFor = ({ options }: PermissionRequest, verb: 'allow' | 'reject'): PermissionOption | undefined =>
  options.find(({ kind }) => kind === `${verb}_once`) ?? options.find(({ kind }) => kind.startsWith(verb));

/** Answers the oldest open request of a session, or the named one. An agent can't do this for itself. */
export async function answerRequest(
  { terminal, args, flag, env, client: open }: Invocation,
  choose: (request: PermissionRequest) => Choice | string,
): Promise<ExitCode> {
  const refuse = (code: string, message: string): ExitCode => {
    terminal.complain({ code, message });
    return exitCodes.failed;
  };
  if (isInsideAgent(env)) return refuse(insideAgentFailure.code, insideAgentFailure.message);
  const client = await open();
  if (!client) return exitCodes.failed;
  const found = await findSession(client, args[0] ?? '');
  if (!found.ok) return refuse(found.failure.code, found.failure.message);
  const session = client.open(found.value);
  const wanted = flag('request');
  try {
    for await (const { timeline } of session.follow()) {
      const request = timeline.permissions.find(({ requestId }) => wanted === undefined || requestId === wanted);
      if (!request) return refuse('PERMISSION_NOT_FOUND', "The session isn't waiting for an answer.");
      const choice = choose(request);
      if (typeof choice === 'string') return refuse('INVALID_REQUEST', choice);
      const { requestId } = request;
      const answered = await session.answer({ requestId, ...choice });
      if (!answered.ok) return refuse(answered.failure.code, answered.failure.message);
      const name = request.options.find(({ optionId }) => optionId === choice.optionId)?.name ?? choice.optionId;
      if (terminal.isJson) terminal.json({ sessionId: session.sessionId, requestId, optionId: choice.optionId });
      else terminal.line(`${visible(name)}: ${visible(request.title)}`);
      return exitCodes.done;
    }
  } catch (error) {
    if (!(error instanceof FollowError)) throw error;
    return refuse(error.failure.code, error.failure.message);
  }
  return exitCodes.failed;
}
