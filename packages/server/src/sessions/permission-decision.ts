import type { PermissionAnswer, PermissionDecision, PermissionRequest } from '@liminal/contracts';
import { evolve } from '@liminal/domain/session/evolve';
import type { Fact } from '@liminal/domain/session/fact';
import type { Session } from '@liminal/domain/session/session';
import { tell } from '@liminal/domain/session/tell';
import type { StoreWrite } from '../store/rows.ts';

/** The line of the audit record that this answer makes; none when nobody asked. */
export function decisionOf(
  session: Session,
  answer: PermissionAnswer,
  at: string,
  by = 'person',
): PermissionDecision | undefined {
  const request = session.permissions.find((open) => open.requestId === answer.requestId);
  const option = request?.options.find((offered) => offered.optionId === answer.optionId);
  if (!request || !option) return undefined;
  return {
    ...aboutRequest(session.sessionId, request),
    optionId: option.optionId,
    optionName: option.name,
    outcome: 'answered',
    by,
    at,
    ...(answer.feedback ? { feedback: answer.feedback } : {}),
  };
}

/** The lines for requests that these facts end without an answer: the turn is over, the agent gone or no longer asking. */
export function endedDecisions(session: Session, facts: readonly Fact[], at: string): StoreWrite[] {
  const isKilled = facts.some((fact) => fact.type === 'session-killed');
  let before = session;
  return facts.flatMap((fact) => {
    const after = evolve(before, fact).session;
    const told = tell(before, fact, after);
    // An agent that is being cancelled takes its questions back by itself; it was the person who stopped it.
    const isByPerson = isKilled || before.turn?.phase === 'cancelling';
    before = after;
    return told.flatMap((body): StoreWrite[] => {
      if (body.type !== 'session:permission' || body.payload.state !== 'ended') return [];
      const { request, reason } = body.payload;
      const decision: PermissionDecision = {
        ...aboutRequest(session.sessionId, request),
        outcome: 'ended',
        by: isByPerson ? 'person' : 'agent',
        at,
        ...(reason === undefined ? {} : { reason }),
      };
      return [{ type: 'add-decision', decision }];
    });
  });
}

const aboutRequest = (sessionId: string, { requestId, turnId, title, toolName }: PermissionRequest) => ({
  sessionId,
  requestId,
  turnId,
  title,
  ...(toolName ? { toolName } : {}),
});
