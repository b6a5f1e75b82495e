import { useCallback, useMemo, type ReactNode } from 'react';
import { ImagesContext, type LoadedImage } from './rendering/rich/project-image.tsx';
import { PathContext, type OpenPath } from './rendering/path-link.tsx';
import { tabElementId } from './state/layout/tab-id.ts';
import type { SessionStore } from './state/sessions/session-store.ts';
import { useProvider } from './state/sessions/use-provider.ts';
import { SessionContext } from './state/sessions/use-session.ts';
import { folderIn } from './state/workbench/directory-store.ts';
import { useDirectory, useTabs, useWorkbench } from './state/workbench/use-workbench.ts';

type TabPanelProps = { readonly tab: string; readonly title: string; readonly children: ReactNode };

/** The content of a tab. */
export function TabPanel({ tab, title, children }: TabPanelProps): ReactNode {
  const isActive = useTabs().active === tab;
  return (
    <div
      className="session"
      id={isActive ? 'session-panel' : `session-panel-${encodeURIComponent(tab)}`}
      role="tabpanel"
      aria-labelledby={tabElementId(tab)}
    >
      <h1 className="visually-hidden">{title}</h1>
      {children}
    </div>
  );
}

type SessionScopeProps = { readonly tab: string; readonly store: SessionStore; readonly children: ReactNode };

/** Provides a session to its children: how its paths and images resolve, and whether this tab is active. */
export function SessionScope({ tab, store, children }: SessionScopeProps): ReactNode {
  const { api, newSessions, openPath } = useWorkbench();
  const directory = useDirectory();
  const { projectId = '' } = directory.sessions.get(store.sessionId) ?? newSessions.origin(store.sessionId) ?? {};
  const projectDir = folderIn(directory, store.sessionId, projectId);
  const agentName = useProvider(store.sessionId)?.name ?? 'the agent';
  const isActive = useTabs().active === tab;
  const scope = useMemo(
    () => ({ store, projectDir, projectId, agentName, isActive }),
    [store, projectDir, projectId, agentName, isActive],
  );
  const loadImage = useCallback(
    async (path: string): Promise<LoadedImage> => {
      const read = await api.session.image(store.sessionId, { path });
      return read.ok ? read : { ok: false, ...read.failure };
    },
    [api, store],
  );
  const open = useCallback<OpenPath>((place) => openPath(store.sessionId, place), [openPath, store]);
  return (
    <SessionContext value={scope}>
      <ImagesContext value={loadImage}>
        <PathContext value={open}>{children}</PathContext>
      </ImagesContext>
    </SessionContext>
  );
}
