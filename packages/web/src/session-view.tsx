import { useMemo, type ReactNode } from 'react';
import { Composer } from './features/composer/composer.tsx';
import { MachineNotice } from './features/machines/machine-notice.tsx';
import { PermissionDesk } from './features/permissions/permission-desk.tsx';
import { TimelineView } from './features/timeline/timeline-view.tsx';
import type { SessionStore } from './state/session-store.ts';
import { titleOf } from './state/titles.ts';
import { SessionContext, useLoad } from './state/use-session.ts';
import { useDirectory, useTabs } from './state/use-workbench.ts';

/** One open session: its timeline, what it asks, and where to write. */
export function SessionView({ store }: { readonly store: SessionStore }): ReactNode {
  const { projects, providers, sessions } = useDirectory();
  const summary = sessions.get(store.sessionId);
  const projectDir = projects.find((project) => project.projectId === summary?.projectId)?.dir ?? '';
  const provider = providers.find((each) => each.cliType === summary?.cliType);
  const projectId = summary?.projectId ?? '';
  const title = titleOf(summary);
  const agentName = provider?.name ?? 'the agent';
  const isActive = useTabs().active === store.sessionId;
  const scope = useMemo(
    () => ({ store, projectDir, projectId, agentName, isActive }),
    [store, projectDir, projectId, agentName, isActive],
  );
  return (
    <SessionContext value={scope}>
      <div
        className="session"
        id={isActive ? 'session-panel' : `session-panel-${store.sessionId}`}
        role="tabpanel"
        aria-labelledby={`tab-${store.sessionId}`}
      >
        <h1 className="visually-hidden">{title}</h1>
        <TimelineView />
        <Dock>
          <MachineNotice sessionId={store.sessionId} />
          <PermissionDesk />
          <Composer
            canSteer={provider?.capabilities.steer ?? false}
            takesImages={provider?.capabilities.images ?? false}
            machine={summary?.node}
          />
        </Dock>
      </div>
    </SessionContext>
  );
}

/** Where one answers and writes; a session that cannot be shown takes no message. */
function Dock({ children }: { readonly children: ReactNode }): ReactNode {
  return useLoad().phase === 'failed' ? null : <div className="dock">{children}</div>;
}
