import type { ReactNode } from 'react';
import { Composer } from './features/composer/composer.tsx';
import { FindBar } from './features/find-bar/find-bar.tsx';
import { MachineNotice } from './features/machines/machine-notice.tsx';
import { PermissionPanel } from './features/permissions/permission-panel.tsx';
import { StartFailure } from './features/composer/start/start-failure.tsx';
import { TimelineView } from './features/timeline/timeline-view.tsx';
import { useReveal } from './reveal.ts';
import { useProvider } from './state/sessions/use-provider.ts';
import { useLoad, useSession } from './state/sessions/use-session.ts';
import { useDirectory } from './state/workbench/use-workbench.ts';
import './session-view.css';

/** One open session: its timeline, permission requests and composer. */
export function SessionView(): ReactNode {
  const { store, projectId } = useSession();
  const reveal = useReveal();
  const { projects, sessions } = useDirectory();
  const project = projects.find((each) => each.projectId === projectId);
  const { steer = false, images = false } = useProvider(store.sessionId)?.capabilities ?? {};
  return (
    <>
      <FindBar sessionId={store.sessionId} onReveal={reveal} />
      <TimelineView key={store.sessionId} />
      <Dock>
        <MachineNotice sessionId={store.sessionId} />
        <StartFailure />
        <PermissionPanel />
        <Composer
          canSteer={steer}
          takesImages={images}
          machine={sessions.get(store.sessionId)?.node ?? project?.node}
        />
      </Dock>
    </>
  );
}

/** Permission requests and the composer; a session that can't be shown accepts no message. */
function Dock({ children }: { readonly children: ReactNode }): ReactNode {
  return useLoad().phase === 'failed' ? null : <div className="dock">{children}</div>;
}
