import { Suspense, useMemo, type ReactNode } from 'react';
import { PermissionPanel } from './features/permissions/permission-panel.tsx';
import { TimelineView } from './features/timeline/timeline-view.tsx';
import { SessionContext } from './state/sessions/use-session.ts';
import { folderIn } from './state/workbench/directory-store.ts';
import { useDirectory, useWorkbench } from './state/workbench/use-workbench.ts';
import { LoadFailure } from './ui/load-failure.tsx';
import { createPart } from './ui/part.tsx';

const CompareView = createPart(() => import('./features/compare/compare-view.tsx'));

/** A comparison, shown instead of the sessions. */
export function CompareScreen(): ReactNode {
  const { comparing } = useWorkbench();
  return (
    <LoadFailure onClose={comparing.close}>
      <Suspense fallback={<section className="compare" aria-busy="true" aria-label="Comparison" />}>
        <CompareView column={(sessionId) => <Column sessionId={sessionId} />} />
      </Suspense>
    </LoadFailure>
  );
}

/** What a candidate is doing, live, and its permission requests. */
function Column({ sessionId }: { readonly sessionId: string }): ReactNode {
  const workbench = useWorkbench();
  const directory = useDirectory();
  const { providers, sessions } = directory;
  const store = workbench.session(sessionId);
  const summary = sessions.get(sessionId);
  const projectId = summary?.projectId ?? '';
  const projectDir = folderIn(directory, sessionId);
  const agentName = providers.find((each) => each.cliType === summary?.cliType)?.name ?? 'the agent';
  const scope = useMemo(
    () => (store === undefined ? null : { store, projectDir, projectId, agentName, isActive: false }),
    [store, projectDir, projectId, agentName],
  );
  if (scope === null) return null;
  return (
    <SessionContext value={scope}>
      <TimelineView />
      <PermissionPanel />
    </SessionContext>
  );
}
