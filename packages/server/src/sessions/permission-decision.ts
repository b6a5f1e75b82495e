import type { PermissionAnswer, PermissionDecision } from '@liminal/contracts';
import type { Session } from '@liminal/domain/session/session';

/** The line of the audit record that this answer makes; none when nobody asked. */
export function decisionOf(session: Session, answer: PermissionAnswer, at: string): PermissionDecision | undefined {
  const request = session.permissions.find((open) => open.requestId === answer.requestId);
  const option = request?.options.find((offered) => offered.optionId === answer.optionId);
  if (!request || !option) return undefined;
  const { requestId, turnId, title, toolName } = request;
  return {
    sessionId: session.sessionId,
    requestId,
    turnId,
    title,
    ...(toolName ? { toolName } : {}),
    optionId: option.optionId,
    optionName: option.name,
    outcome: 'answered',
    by: 'person',
    at,
    ...(answer.feedback ? { feedback: answer.feedback } : {}),
  };
}
