import { useEffect, type ReactNode } from 'react';
import type { Project, ProviderSummary } from '@liminal/contracts';
import type { NewSession } from '../../../state/sessions/new-sessions.ts';
import { SessionContext } from '../../../state/sessions/use-session.ts';
import { useCell, useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';

export type StartPlace = {
  readonly session: NewSession;
  readonly project: Project;
  readonly agent: ProviderSummary | undefined;
};

type StartScopeProps = {
  readonly projectId?: string | undefined;
  /** Shown while there is nothing to start. */
  readonly fallback: ReactNode;
  readonly children: (place: StartPlace) => ReactNode;
};

/** Provides the session that is about to be started to its children. */
export function StartScope({ projectId, fallback, children }: StartScopeProps): ReactNode {
  const workbench = useWorkbench();
  const { newSessions, startForm } = workbench;
  const { projects, providers } = useDirectory();
  const id = useCell(startForm.current);
  const session = useCell(newSessions).get(id ?? '');
  const store = workbench.session(id ?? '');
  const project = projects.find((each) => each.projectId === session?.projectId);
  const agent = providers.find((each) => each.cliType === session?.cliType);

  // A folder chosen in the form wins over the one it was opened with.
  useEffect(() => startForm.open(projectId), [startForm, projectId]);
  useEffect(() => {
    if (project === undefined) startForm.open(projectId);
  }, [startForm, project, projectId, projects, providers]);

  if (store === undefined || session === undefined || project === undefined) return fallback;
  const scope = {
    store,
    projectDir: project.dir,
    projectId: project.projectId,
    agentName: agent?.name ?? 'the agent',
    isActive: false,
  };
  return (
    <SessionContext value={scope} key={session.id}>
      {children({ session, project, agent })}
    </SessionContext>
  );
}
