import { useCell, useDirectoryFact, useWorkbench } from '../workbench/use-workbench.ts';
import { useSession } from './use-session.ts';

/** The worktree the session works in, or was chosen for it; undefined in the project's folder. */
export function useWorktreeId(): string | undefined {
  const { sessionId } = useSession().store;
  const { newSessions } = useWorkbench();
  useCell(newSessions);
  const ofListed = useDirectoryFact(({ sessions }) => sessions.get(sessionId)?.place?.worktreeId);
  return ofListed ?? newSessions.origin(sessionId)?.place?.worktreeId;
}
