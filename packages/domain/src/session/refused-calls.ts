import type { PermissionAnswer, PermissionRequest, UpsertObject } from '@liminal/contracts';
import type { Session } from './session.ts';

type Answered = { readonly request: PermissionRequest; readonly answer: PermissionAnswer };

/** Some agents reuse call ids in every turn, so the key includes the turn. */
const callKey = (turnId: string, callId: string): string => `${turnId}\n${callId}`;

/** The call that this answer refuses, if any. */
export function refusedCall({ request, answer }: Answered): string[] {
  const { callId, options, turnId } = request;
  const chosen = options.find((option) => option.optionId === answer.optionId);
  return callId !== undefined && chosen?.kind.startsWith('reject') ? [callKey(turnId, callId)] : [];
}

/** Marks a call the user refused, unless it ran after all. */
export function withRefusal({ refusedCalls }: Session, upsert: UpsertObject): UpsertObject {
  if (upsert.type !== 'tool_call' || !refusedCalls.includes(callKey(upsert.turnId, upsert.callId))) return upsert;
  const hasRun = upsert.status === 'complete' && upsert.toolOutputIsError !== true;
  return hasRun ? upsert : { ...upsert, refused: true };
}
