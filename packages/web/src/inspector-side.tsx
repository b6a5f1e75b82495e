import { Suspense, useMemo, type ReactNode } from 'react';
import { SessionContext } from './state/sessions/use-session.ts';
import { folderIn } from './state/workbench/directory-store.ts';
import { useDirectory, useWorkbench } from './state/workbench/use-workbench.ts';
import { LoadFailure } from './ui/load-failure.tsx';
import { createPart } from './ui/part.tsx';

export const Inspector = createPart(() => import('./inspector-panel.tsx'));

/** The inspector of the active session, on its right. */
export function InspectorSide({ sessionId }: { readonly sessionId: string }): ReactNode {
  const workbench = useWorkbench();
  const directory = useDirectory();
  const { providers, sessions } = directory;
  const store = workbench.session(sessionId);
  const summary = sessions.get(sessionId);
  const projectId = summary?.projectId ?? '';
  const projectDir = folderIn(directory, sessionId);
  const agentName = providers.find((each) => each.cliType === summary?.cliType)?.name ?? 'the agent';
  const scope = useMemo(
    () => (store === undefined ? null : { store, projectDir, projectId, agentName, isActive: true }),
    [store, projectDir, projectId, agentName],
  );
  if (scope === null) return null;
  return (
    <SessionContext value={scope}>
      <LoadFailure onClose={() => workbench.panels.inspector.set(false)}>
        <Suspense fallback={<aside className="inspector" aria-busy="true" />}>
          <Inspector />
        </Suspense>
      </LoadFailure>
    </SessionContext>
  );
}
