import { useEffect, useMemo, type ReactNode } from 'react';
import { ConnectionBanner } from './features/connection-banner/connection-banner.tsx';
import { ClusterLine } from './features/machines/cluster-line.tsx';
import { FailureNotice } from './features/failure-notice/failure-notice.tsx';
import { Inbox } from './features/inbox/inbox.tsx';
import { Sidebar } from './features/sidebar/sidebar.tsx';
import { SwitchBar } from './features/tabs/switch-bar.tsx';
import { TabBar } from './features/tabs/tab-bar.tsx';
import { FrontPanel } from './front-panel.tsx';
import { Home } from './home.tsx';
import { InspectorSide } from './inspector-side.tsx';
import { Panes } from './panes.tsx';
import { CompareScreen } from './compare-screen.tsx';
import { actionsOf, type FocusTargets } from './state/workbench/actions.ts';
import { isNewSession } from './state/sessions/new-sessions.ts';
import { clampWidth, sidebarLimits } from './state/layout/sidebar-store.ts';
import { useCell, useIsDisconnected, useTabs, useWorkbench } from './state/workbench/use-workbench.ts';
import { TerminalDock } from './terminal-dock.tsx';
import { Resizer } from './ui/resizer.tsx';
import './app.css';

/** The whole page: projects on the left, tabs on top, their content in the middle, details on the right. */
export function App({ focus }: { readonly focus: FocusTargets }): ReactNode {
  const workbench = useWorkbench();
  const { panels, sidebar, tabs, workspace } = workbench;
  const held = useTabs();
  const { width, hidden } = useCell(sidebar);
  // Without a connection the layout won't arrive, so there is no reason to wait.
  const isLost = useIsDisconnected();
  const settled = useCell(workspace.settled) || isLost;
  const drawer = useCell(panels.drawer);
  const inspector = useCell(panels.inspector);
  const inbox = useCell(panels.inbox);
  const isComparing = useCell(workbench.comparing.shown) !== null;
  const closeDrawer = (): void => panels.drawer.set(false);
  const hideList = (): void => {
    if (focus.isNarrow()) closeDrawer();
    else sidebar.update((layout) => ({ ...layout, hidden: true }));
  };
  const showList = (): void => {
    if (focus.isNarrow()) panels.drawer.set(true);
    else sidebar.update((layout) => ({ ...layout, hidden: false }));
  };
  useEscape(drawer, closeDrawer);
  const actions = useMemo(() => () => actionsOf(workbench, focus), [workbench, focus]);
  const sessionId = workbench.activeSession();
  const classes = ['app', hidden && 'app-list-hidden', drawer && 'app-drawer-open'].filter(Boolean).join(' ');

  return (
    <div className={classes} style={{ '--side': `${width}px` } as object}>
      <div className="app-side">
        <Sidebar onChosen={closeDrawer} onHide={hideList}>
          <Resizer
            label="Sidebar width"
            className="app-side-edge"
            value={width}
            min={sidebarLimits.least}
            max={sidebarLimits.most}
            onChange={(next) => sidebar.update((layout) => ({ ...layout, width: clampWidth(next) }))}
          />
        </Sidebar>
      </div>
      {drawer && <button type="button" className="app-scrim" aria-label="Close sidebar" onClick={closeDrawer} />}
      <main className="app-main">
        <TabBar onMenu={showList} listHidden={hidden} />
        <ConnectionBanner />
        <ClusterLine />
        {inbox ? (
          <Inbox />
        ) : isComparing ? (
          <CompareScreen />
        ) : held.active === null && !settled ? null : held.active === null ? (
          <Home isNarrow={focus.isNarrow} />
        ) : (
          <div className="app-work">
            <Panes tabs={held} />
            {inspector && sessionId !== null && !isNewSession(sessionId) && (
              <InspectorSide key={sessionId} sessionId={sessionId} />
            )}
          </div>
        )}
        <TerminalDock />
        <SwitchBar />
      </main>
      <FailureNotice />
      <FrontPanel actions={actions} onShow={tabs.show} />
    </div>
  );
}

/** Escape closes the layer over the page before any other handler runs, unless a dialog or menu is open. */
function useEscape(isOpen: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open], :popover-open') !== null) return;
      event.stopPropagation();
      onEscape();
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, [isOpen, onEscape]);
}
