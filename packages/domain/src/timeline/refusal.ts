import type { ToolCallUpsert } from '@liminal/contracts';

/**
 * What agents write as the result of a call the person said no to, where nobody watched the answer: the record of the
 * item itself has no word for it.
 */
const refusalWords = [
  /^Refused\.$/,
  /^The user doesn't want to (proceed with this tool use|take this action)/,
  /^(Error: )?(Permission|Tool use|Request) (was )?(denied|rejected|refused)( by (the )?(user|person))?\b/i,
  /^User (rejected|denied|refused|declined)\b/i,
];

/** Whether a call did not run because the person refused it. */
export function isRefused(call: ToolCallUpsert, refusedCalls: ReadonlySet<string>): boolean {
  const isOver = call.status === 'error' || (call.status === 'complete' && call.toolOutputIsError === true);
  if (!isOver) return false;
  const output = call.toolOutput ?? '';
  return refusedCalls.has(call.callId) || refusalWords.some((words) => words.test(output));
}
