import type { PermissionAnswer, PermissionRequest, UpsertObject } from '@liminal/contracts';
import type { Session } from './session.ts';

type Answered = { readonly request: PermissionRequest; readonly answer: PermissionAnswer };

/** The call that this answer says no to, if it is about one. */
export function refusedCall({ request, answer }: Answered): string[] {
  const chosen = request.options.find((option) => option.optionId === answer.optionId);
  return request.callId !== undefined && chosen?.kind.startsWith('reject') ? [request.callId] : [];
}

/** What an agent reports as a failed call is told as a refused one where the person said no to it. */
export function withRefusal({ refusedCalls }: Session, upsert: UpsertObject): UpsertObject {
  if (upsert.type !== 'tool_call' || !refusedCalls.includes(upsert.callId)) return upsert;
  const hasFailed = upsert.status === 'error' || (upsert.status === 'complete' && upsert.toolOutputIsError === true);
  return hasFailed ? { ...upsert, refused: true } : upsert;
}
