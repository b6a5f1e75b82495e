import {
  type CreateSessionBody,
  fail,
  ok,
  type Result,
  type SessionOptions,
  type SessionOrigin,
} from '@liminal/contracts';
import { childMode } from '@liminal/domain/modes/child-mode';
import type { ListedSessionRow } from '../../store/rows.ts';
import type { SessionRoster } from './session-roster.ts';
import type { SessionRequest } from './session-starts.ts';

type StartedFrom = NonNullable<CreateSessionBody['startedFrom']>;
export type OriginDeps = {
  readonly roster: Pick<SessionRoster, 'all'>;
  readonly store: { sessions(): readonly ListedSessionRow[] };
};

const deepest = 2;
const mostChildren = 10;

/**
 * Whether an agent may start this session, and with which rights: in its own project, not too deep, not too many, and
 * never with more rights than it has itself.
 */
export function checkOrigin(
  { roster, store }: OriginDeps,
  { processes, insideAgent }: StartedFrom,
  { provider, project, given }: SessionRequest,
): Result<{ readonly startedBy: SessionOrigin; readonly given: SessionOptions }> {
  const running = new Set(processes);
  const parent = roster
    .all()
    .find(({ shell, link }) => running.has(link.provider.processOf?.(shell.sessionId) ?? Number.NaN))
    ?.shell.row();
  if (insideAgent && parent === undefined) {
    return fail('NOT_SUPPORTED', "An agent that this server didn't start can't start sessions here.");
  }
  const depth = (parent?.startedBy?.depth ?? 0) + 1;
  if (depth > deepest)
    return fail('NOT_SUPPORTED', `Sessions can't start others more than ${deepest} levels deep. Do the work yourself.`);
  if (parent !== undefined && parent.projectId !== project.projectId)
    return fail('NOT_SUPPORTED', 'An agent can start sessions only in its own project.');
  const children = store
    .sessions()
    .filter((row) => row.startedBy !== undefined && !row.archived && row.startedBy.sessionId === parent?.sessionId);
  if (children.length >= mostChildren)
    return fail('NOT_SUPPORTED', `There are ${mostChildren} started sessions already. Archive some first.`);
  const rights = parent && { cliType: parent.cliType, modeId: parent.info.modeId ?? parent.options.modeId };
  const modeId = childMode(rights ?? null, provider.cliType);
  if (modeId === null) {
    return fail(
      'NOT_SUPPORTED',
      `${provider.name} can't be started by this agent: it could have more rights than the agent itself.`,
    );
  }
  const startedBy = { depth, ...(parent && { sessionId: parent.sessionId }) };
  return ok({ startedBy, given: { ...given, modeId } });
}
