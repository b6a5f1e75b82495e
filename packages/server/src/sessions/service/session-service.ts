import type { PreferenceService } from '../../preferences/preference-service.ts';
import { createSessionChanges } from '../review/session-changes.ts';
import { createSessionComments } from '../review/session-comments.ts';
import { createSessionStaging } from '../review/session-staging.ts';
import { createSessionChoices } from './session-choices.ts';
import { createSessionLife } from './session-life.ts';
import { createSessionForks } from '../rewind/session-forks.ts';
import { createSessionRestores } from '../rewind/session-restores.ts';
import { createSessionRewinds } from '../rewind/session-rewinds.ts';
import { createSessionImport } from './session-import.ts';
import { createSessionReading } from './session-reading.ts';
import type { SessionRoster, SessionRosterDeps } from './session-roster.ts';
import { createSessionTurns } from './session-turns.ts';
import type { SessionWorktrees } from './session-worktrees.ts';

export type SessionServiceDeps = SessionRosterDeps & {
  readonly roster: SessionRoster;
  readonly preferences: PreferenceService;
  readonly worktrees: SessionWorktrees;
  /** How long a prepared session waits to be used. */
  readonly preparedMs?: number;
};
export type SessionService = ReturnType<typeof createSessionService>;

/** Everything a user can do with sessions. Each method returns a value or a failure of the error table. */
export function createSessionService(deps: SessionServiceDeps) {
  const turns = createSessionTurns(deps);
  const changes = createSessionChanges(deps);
  return {
    ...createSessionLife({ ...deps, send: turns.send }),
    ...turns,
    ...createSessionChoices(deps),
    ...createSessionReading(deps),
    ...createSessionImport(deps),
    ...changes,
    ...createSessionStaging(deps),
    ...createSessionForks(deps),
    ...createSessionRewinds(deps),
    ...createSessionRestores(deps),
    ...createSessionComments({ ...deps, ...changes, send: turns.send }),
  };
}
