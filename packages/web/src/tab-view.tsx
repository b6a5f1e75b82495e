import { Suspense, type ReactNode } from 'react';
import { SessionScope, TabPanel } from './session-scope.tsx';
import { SessionView } from './session-view.tsx';
import { readTab } from './state/layout/tab-id.ts';
import { useProvider } from './state/sessions/use-provider.ts';
import { useWorkbench } from './state/workbench/use-workbench.ts';
import { LoadFailure } from './ui/load-failure.tsx';
import { createPart } from './ui/part.tsx';

// With the editor and the emulator they are larger than the rest of the page: loaded when first opened.
export const Review = createPart(() => import('./features/review/review.tsx'));
const FilesView = createPart(() => import('./features/files/files-view.tsx'));
const TerminalTab = createPart(() => import('./features/terminal/terminal-tab.tsx'));

/** The content of an open tab. */
export function TabView({ tab, title }: { readonly tab: string; readonly title: string }): ReactNode {
  const { session, tabs } = useWorkbench();
  const target = readTab(tab);
  const { steer = false } = useProvider(target.kind === 'terminal' ? '' : target.sessionId)?.capabilities ?? {};
  const close = (): void => tabs.close(tab);
  if (target.kind === 'terminal')
    return (
      <TabPanel tab={tab} title={title}>
        <Later name="Terminal" className="terminal-loading" onClose={close}>
          <TerminalTab terminalId={target.terminalId} tab={tab} />
        </Later>
      </TabPanel>
    );
  const store = session(target.sessionId);
  if (store === undefined) return null;
  const content = (): ReactNode => {
    switch (target.kind) {
      case 'session':
        return <SessionView />;
      case 'review':
        return (
          <Later name="Review" className="review" onClose={close}>
            <Review canSteer={steer} />
          </Later>
        );
      case 'file':
        return (
          <Later name="Files" className="files" onClose={close}>
            <FilesView tab={tab} path={target.path} />
          </Later>
        );
    }
  };
  return (
    <SessionScope tab={tab} store={store}>
      <TabPanel tab={tab} title={title}>
        {content()}
      </TabPanel>
    </SessionScope>
  );
}

type LaterProps = {
  readonly name: string;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

function Later({ name, className, onClose, children }: LaterProps): ReactNode {
  return (
    <LoadFailure onClose={onClose}>
      <Suspense fallback={<section className={className} aria-busy="true" aria-label={name} />}>{children}</Suspense>
    </LoadFailure>
  );
}
