import { Suspense, type ReactNode } from 'react';
import { terminalHeights } from './state/terminals/terminal-store.ts';
import { useCell, useWorkbench } from './state/workbench/use-workbench.ts';
import { LoadFailure } from './ui/load-failure.tsx';
import { createPart } from './ui/part.tsx';
import { Resizer } from './ui/resizer.tsx';

// With its emulator it is as large as the rest of the page: loaded when the first terminal opens.
const TerminalPanel = createPart(() => import('./features/terminal/terminal-panel.tsx'));

/** The terminal panel, below everything else. */
export function TerminalDock(): ReactNode {
  const { terminals } = useWorkbench();
  const isShown = useCell(terminals.isShown);
  const height = useCell(terminals.height);
  if (!isShown) return null;
  return (
    <div className="app-terminal" style={{ '--terminal': `${height}px` } as object}>
      <Resizer
        label="Terminal height"
        className="app-terminal-edge"
        orientation="horizontal"
        value={height}
        min={terminalHeights.least}
        max={terminalHeights.most}
        toValue={(y) => innerHeight - y}
        onChange={terminals.setHeight}
      />
      <LoadFailure onClose={() => terminals.isShown.set(false)}>
        <Suspense fallback={<section className="terminal-loading" aria-busy="true" aria-label="Terminals" />}>
          <TerminalPanel />
        </Suspense>
      </LoadFailure>
    </div>
  );
}
