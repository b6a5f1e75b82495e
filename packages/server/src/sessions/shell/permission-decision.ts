import type { PermissionAnswer, PermissionDecision, PermissionRequest } from '@liminal/contracts';
import { evolve } from '@liminal/domain/session/evolve';
import type { Fact } from '@liminal/domain/session/fact';
import type { Session } from '@liminal/domain/session/session';
import { changesFrom } from '@liminal/domain/session/changes-from';
import type { OpenRequestRow, StoreWrite } from '../../store/rows.ts';

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

/** What these facts say of requests: which are open, in case no answer ever comes, and which ended without one. */
export const requestWrites = (session: Session, facts: readonly Fact[], at: string): StoreWrite[] => [
  ...openedRequests(session.sessionId, facts),
  ...endedDecisions(session, facts, at),
];

/** The lines for requests that these facts end without an answer: the turn is over, the agent gone or no longer asking. */
function endedDecisions(session: Session, facts: readonly Fact[], at: string): StoreWrite[] {
  const isKilled = facts.some((fact) => fact.type === 'session-killed');
  let before = session;
  return facts.flatMap((fact) => {
    const after = evolve(before, fact).session;
    const changes = changesFrom(before, fact, after);
    // An agent that is being cancelled takes its questions back by itself; it was the user who stopped it.
    const isByPerson = isKilled || before.turn?.phase === 'cancelling';
    before = after;
    return changes.flatMap((body): StoreWrite[] => {
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

const openedRequests = (sessionId: string, facts: readonly Fact[]): StoreWrite[] =>
  facts.flatMap((fact) =>
    fact.type === 'permission-opened'
      ? [{ type: 'put-open-request', row: aboutRequest(sessionId, fact.request) } as const]
      : [],
  );

/** The lines for requests that were open when the server ended without warning. */
export const stoppedDecisions = (rows: readonly OpenRequestRow[], at: string): StoreWrite[] =>
  rows.map((row) => ({
    type: 'add-decision',
    decision: { ...row, outcome: 'ended', by: 'server', at, reason: 'Liminal Builder stopped before it was answered.' },
  }));

const aboutRequest = (
  sessionId: string,
  { requestId, turnId, title, toolName }: PermissionRequest,
): OpenRequestRow => ({
  sessionId,
  requestId,
  turnId,
  title,
  ...(toolName ? { toolName } : {}),
});
