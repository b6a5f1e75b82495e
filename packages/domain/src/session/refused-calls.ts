import type { PermissionAnswer, PermissionRequest, UpsertObject } from '@liminal/contracts';
import type { Session } from './session.ts';

type Answered = { readonly request: PermissionRequest; readonly answer: PermissionAnswer };

/** The call that this answer says no to, if it is about one. */
export function refusedCall({ request, answer }: Answered): string[] {
  const chosen = request.options.find((option) => option.optionId === answer.optionId);
  return request.callId !== undefined && chosen?.kind.startsWith('reject') ? [request.callId] : [];
}

/** A call the person said no to is shown as refused, unless it ran after all. */
export function withRefusal({ refusedCalls }: Session, upsert: UpsertObject): UpsertObject {
  if (upsert.type !== 'tool_call' || !refusedCalls.includes(upsert.callId)) return upsert;
  const hasRun = upsert.status === 'complete' && upsert.toolOutputIsError !== true;
  return hasRun ? upsert : { ...upsert, refused: true };
}
