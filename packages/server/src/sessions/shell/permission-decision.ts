import type { PermissionAnswer, PermissionDecision, PermissionRequest } from '@liminal/contracts';
import { evolve } from '@liminal/domain/session/evolve';
import type { Fact } from '@liminal/domain/session/fact';
import type { Session } from '@liminal/domain/session/session';
import { changesFrom } from '@liminal/domain/session/changes-from';
import type { OpenRequestRow, StoreWrite } from '../../store/rows.ts';

/** The audit record's entry for this answer; none if there was no request. */
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

/**
 * The writes these facts cause for requests: opened ones, in case no answer ever comes, and ones ended without an
 * answer.
 */
export const requestWrites = (session: Session, facts: readonly Fact[], at: string): StoreWrite[] => [
  ...openedRequests(session.sessionId, facts),
  ...endedDecisions(session, facts, at),
];

/** Entries for requests these facts end without an answer: the turn is over, or the agent is gone or withdrew them. */
function endedDecisions(session: Session, facts: readonly Fact[], at: string): StoreWrite[] {
  const isKilled = facts.some((fact) => fact.type === 'session-killed');
  let before = session;
  return facts.flatMap((fact) => {
    const after = evolve(before, fact).session;
    const changes = changesFrom(before, fact, after);
    // A cancelled agent withdraws its requests by itself, but it was the user who stopped it.
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

/** Entries for requests that were open when the server crashed. */
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
