import type { ToolCallUpsert } from '@liminal/contracts';

/**
 * What agents write as the result of a call the person said no to. Needed for what was asked and answered elsewhere, in
 * a terminal: there only the agent's own record says so.
 */
const refusalPatterns = [
  /^Refused\.$/,
  /^The user doesn't want to (proceed with this tool use|take this action)/,
  /^(Error: )?(Permission|Tool use|Request) (was )?(denied|rejected|refused)( by (the )?(user|person))?\b/i,
  /^User (rejected|denied|refused|declined)\b/i,
];

/** Whether a call did not run because the person refused it. */
export function isRefused(call: ToolCallUpsert, turnEnded: boolean): boolean {
  const hasFailed = call.status === 'error' || (call.status === 'complete' && call.toolOutputIsError === true);
  const isHanging = call.status !== 'complete' && turnEnded;
  if (call.refused === true) return hasFailed || isHanging;
  return hasFailed && refusalPatterns.some((pattern) => pattern.test(call.toolOutput ?? ''));
}
