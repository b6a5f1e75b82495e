import { useEffect, useState, type ReactNode } from 'react';
import { ConnectionBanner } from './features/connection-banner/connection-banner.tsx';
import { Sidebar } from './features/sidebar/sidebar.tsx';
import { TabBar } from './features/tabs/tab-bar.tsx';
import { Welcome } from './features/welcome/welcome.tsx';
import { SessionView } from './session-view.tsx';
import { useTabs, useWorkbench } from './state/use-workbench.ts';
import './app.css';

/** The whole page: projects at the left, tabs above, one session in the middle. */
export function App(): ReactNode {
  const workbench = useWorkbench();
  const { active } = useTabs();
  const [drawer, setDrawer] = useState(false);
  const store = active === null ? undefined : workbench.session(active);
  const closeDrawer = (): void => setDrawer(false);

  useEffect(() => {
    if (!drawer) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setDrawer(false);
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, [drawer]);

  return (
    <div className="app">
      <div className={drawer ? 'app-side app-side-open' : 'app-side'}>
        <Sidebar
          onChosen={closeDrawer}
          onHome={() => {
            workbench.tabs.leave();
            closeDrawer();
          }}
        />
      </div>
      {drawer && <button type="button" className="app-scrim" aria-label="Close the list" onClick={closeDrawer} />}
      <main className="app-main">
        <TabBar onMenu={() => setDrawer(true)} />
        <ConnectionBanner />
        {store === undefined ? (
          <Welcome onFolderAdded={() => setDrawer(true)} />
        ) : (
          <SessionView key={store.sessionId} store={store} />
        )}
      </main>
    </div>
  );
}
