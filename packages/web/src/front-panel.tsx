import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { createCell } from './state/base/cell.ts';
import type { Action } from './state/workbench/actions.ts';
import { useReveal } from './reveal.ts';
import { loadReview } from './tab-view.tsx';
import { useCell, useWorkbench } from './state/workbench/use-workbench.ts';
import { TypeAhead } from './features/palette/type-ahead.tsx';
import { LoadFailure } from './ui/load-failure.tsx';

/** Parts that aren't needed at the start. They load once the page is idle, so they work without a server later. */
const parts = {
  palette: () => import('./features/palette/palette.tsx'),
  settings: () => import('./features/settings/settings-dialog.tsx'),
  shortcuts: () => import('./features/shortcuts-list/shortcuts-dialog.tsx'),
  projects: () => import('./features/projects/project-panel.tsx'),
  start: () => import('./features/composer/start/start-dialog.tsx'),
  inspector: () => import('./inspector-panel.tsx'),
  review: loadReview,
  fork: () => import('./features/rewind/fork-dialog.tsx'),
  rewind: () => import('./features/rewind/rewind-dialog.tsx'),
};
const Palette = lazy(parts.palette);
const SettingsDialog = lazy(parts.settings);
const ShortcutsDialog = lazy(parts.shortcuts);
const ProjectPanel = lazy(parts.projects);
const StartDialog = lazy(parts.start);
const ForkDialog = lazy(parts.fork);
const RewindDialog = lazy(parts.rewind);

/** Soon after the page appears: text typed right after the palette's key must not miss the palette. */
const quietAfterMs = 200;

type FrontPanelProps = {
  readonly actions: () => readonly Action[];
  readonly onShow: (sessionId: string) => void;
};

/** The layer in front of the page: the palette or a dialog. */
export function FrontPanel({ actions, onShow }: FrontPanelProps): ReactNode {
  const { directory, panels } = useWorkbench();
  const panel = useCell(panels.front);
  const reveal = useReveal();
  const [typedAhead] = useState(() => createCell(''));
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of Object.values(parts)) load().catch(() => {});
    }, quietAfterMs);
    return () => clearTimeout(timer);
  }, []);

  const content = (): ReactNode => {
    if (panel === null) return null;
    switch (panel.name) {
      case 'palette':
        return (
          <Palette
            key={panel.mode}
            mode={panel.mode}
            typedAhead={typedAhead}
            actions={actions()}
            onShow={onShow}
            onReveal={reveal}
          />
        );
      case 'settings':
        return <SettingsDialog onClose={panels.close} />;
      case 'shortcuts':
        return <ShortcutsDialog actions={actions()} onClose={panels.close} />;
      case 'new-session':
        return directory.get().projects.length === 0 ? (
          <ProjectPanel panel={{ name: 'add-project' }} />
        ) : (
          <StartDialog {...(panel.projectId !== undefined && { projectId: panel.projectId })} onClose={panels.close} />
        );
      case 'fork':
        return <ForkDialog {...panel} onClose={panels.close} />;
      case 'rewind':
        return <RewindDialog {...panel} onClose={panels.close} />;
      case 'add-project':
      case 'trust':
      case 'discover':
      case 'remove-project':
      case 'worktrees':
      case 'bring-back':
      case 'park':
      case 'comparisons':
      case 'project-settings':
      case 'delete-session':
        return <ProjectPanel panel={panel} />;
    }
  };
  return (
    <LoadFailure onClose={panels.close}>
      <Suspense fallback={panel?.name === 'palette' ? <TypeAhead text={typedAhead} onCancel={panels.close} /> : null}>
        {content()}
      </Suspense>
    </LoadFailure>
  );
}
