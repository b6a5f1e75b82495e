import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { createCell } from './state/base/cell.ts';
import type { Action } from './state/workbench/actions.ts';
import { useReveal } from './reveal.ts';
import { Inspector } from './inspector-side.tsx';
import { Review } from './tab-view.tsx';
import { useCell, useWorkbench } from './state/workbench/use-workbench.ts';
import { TypeAhead } from './features/palette/type-ahead.tsx';
import { LoadFailure } from './ui/load-failure.tsx';
import { createPart } from './ui/part.tsx';

// Parts that aren't needed at the start. They load once the page is idle, so they work without a server later.
const Palette = createPart(() => import('./features/palette/palette.tsx'));
const SettingsDialog = createPart(() => import('./features/settings/settings-dialog.tsx'));
const ShortcutsDialog = createPart(() => import('./features/shortcuts-list/shortcuts-dialog.tsx'));
const ProjectPanel = createPart(() => import('./features/projects/project-panel.tsx'));
const StartDialog = createPart(() => import('./features/composer/start/start-dialog.tsx'));
const ForkDialog = createPart(() => import('./features/rewind/fork-dialog.tsx'));
const RewindDialog = createPart(() => import('./features/rewind/rewind-dialog.tsx'));
const soonNeeded = [
  Palette,
  SettingsDialog,
  ShortcutsDialog,
  ProjectPanel,
  StartDialog,
  Inspector,
  Review,
  ForkDialog,
  RewindDialog,
];

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
  const [typed] = useState(() => createCell(''));
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const part of soonNeeded) part.load().catch(() => {});
    }, quietAfterMs);
    return () => clearTimeout(timer);
  }, []);

  // A reply to a dialog that the user has closed may come late. It must not close the one that is open then.
  const close = useCallback((): void => {
    if (panels.front.get() === panel) panels.close();
  }, [panels, panel]);
  const content = (): ReactNode => {
    if (panel === null) return null;
    switch (panel.name) {
      case 'palette':
        return (
          <Palette
            key={panel.mode}
            mode={panel.mode}
            text={typed}
            actions={actions()}
            onShow={onShow}
            onReveal={reveal}
          />
        );
      case 'settings':
        return <SettingsDialog onClose={close} />;
      case 'shortcuts':
        return <ShortcutsDialog actions={actions()} onClose={close} />;
      case 'new-session':
        return directory.get().projects.length === 0 ? (
          <ProjectPanel panel={{ name: 'add-project' }} onClose={close} />
        ) : (
          <StartDialog {...(panel.projectId !== undefined && { projectId: panel.projectId })} onClose={close} />
        );
      case 'fork':
        return <ForkDialog {...panel} onClose={close} />;
      case 'rewind':
        return <RewindDialog {...panel} onClose={close} />;
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
      case 'rename':
        return <ProjectPanel panel={panel} onClose={close} />;
    }
  };
  return (
    <LoadFailure onClose={close}>
      <Suspense fallback={panel?.name === 'palette' ? <TypeAhead text={typed} onCancel={close} /> : null}>
        {content()}
      </Suspense>
    </LoadFailure>
  );
}
