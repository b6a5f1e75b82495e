import { lazy, Suspense, useCallback, useMemo, type ReactNode } from 'react';
import { Composer } from './features/composer/composer.tsx';
import { FindBar } from './features/find-bar/find-bar.tsx';
import { MachineNotice } from './features/machines/machine-notice.tsx';
import { PermissionPanel } from './features/permissions/permission-panel.tsx';
import { StartFailure } from './features/composer/start/start-failure.tsx';
import { TimelineView } from './features/timeline/timeline-view.tsx';
import { ImagesContext, type LoadedImage } from './rendering/rich/project-image.tsx';
import { PathContext, type OpenPath } from './rendering/path-link.tsx';
import { useReveal } from './reveal.ts';
import type { SessionStore } from './state/sessions/session-store.ts';
import { titleOf } from './state/sessions/titles.ts';
import { SessionContext, useLoad } from './state/sessions/use-session.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from './state/workbench/use-workbench.ts';
import { LoadFailure } from './ui/load-failure.tsx';

export const loadReview = () => import('./features/review/review.tsx');
const Review = lazy(loadReview);
const loadFiles = () => import('./features/files/files-view.tsx');
const FilesView = lazy(loadFiles);

/** One open session: its timeline, what it asks, and where to write. */
export function SessionView({ store }: { readonly store: SessionStore }): ReactNode {
  const workbench = useWorkbench();
  const { api, fileViews, newSessions, reviews } = workbench;
  const reveal = useReveal();
  const { projects, providers, sessions } = useDirectory();
  const summary = sessions.get(store.sessionId);
  const { projectId = '', cliType } = summary ?? newSessions.origin(store.sessionId) ?? {};
  const project = projects.find((each) => each.projectId === projectId);
  const projectDir = project?.dir ?? '';
  const provider = providers.find((each) => each.cliType === cliType);
  const title = titleOf(summary);
  const agentName = provider?.name ?? 'the agent';
  const isActive = useTabs().active === store.sessionId;
  const isBrowsed = useCell(fileViews.shown).has(store.sessionId);
  const isReviewed = useCell(reviews.shown).has(store.sessionId);
  const canSteer = provider?.capabilities.steer ?? false;
  const scope = useMemo(
    () => ({ store, projectDir, projectId, agentName, isActive }),
    [store, projectDir, projectId, agentName, isActive],
  );
  const loadImage = useCallback(
    async (path: string): Promise<LoadedImage> => {
      const read = await api.session.image(store.sessionId, { path });
      return read.ok ? read : { ok: false, message: read.failure.message };
    },
    [api, store],
  );
  const openPath = useCallback<OpenPath>((place) => workbench.openPath(store.sessionId, place), [workbench, store]);
  return (
    <SessionContext value={scope}>
      <ImagesContext value={loadImage}>
        <PathContext value={openPath}>
          <div
            className="session"
            id={isActive ? 'session-panel' : `session-panel-${store.sessionId}`}
            role="tabpanel"
            aria-labelledby={`tab-${store.sessionId}`}
          >
            <h1 className="visually-hidden">{title}</h1>
            {isBrowsed ? (
              <LoadFailure onClose={() => fileViews.close(store.sessionId)}>
                <Suspense fallback={<section className="files" aria-busy="true" aria-label="Files" />}>
                  <FilesView />
                </Suspense>
              </LoadFailure>
            ) : isReviewed ? (
              <LoadFailure onClose={() => reviews.close(store.sessionId)}>
                <Suspense fallback={<section className="review" aria-busy="true" aria-label="Review" />}>
                  <Review canSteer={canSteer} />
                </Suspense>
              </LoadFailure>
            ) : (
              <>
                <FindBar sessionId={store.sessionId} onReveal={reveal} />
                <TimelineView key={store.sessionId} />
                <Dock>
                  <MachineNotice sessionId={store.sessionId} />
                  <StartFailure />
                  <PermissionPanel />
                  <Composer
                    canSteer={canSteer}
                    takesImages={provider?.capabilities.images ?? false}
                    machine={summary?.node ?? project?.node}
                  />
                </Dock>
              </>
            )}
          </div>
        </PathContext>
      </ImagesContext>
    </SessionContext>
  );
}

/** Where one answers and writes; a session that cannot be shown takes no message. */
function Dock({ children }: { readonly children: ReactNode }): ReactNode {
  return useLoad().phase === 'failed' ? null : <div className="dock">{children}</div>;
}
