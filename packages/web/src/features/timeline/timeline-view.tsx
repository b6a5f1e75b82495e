import { useCallback, type ReactNode } from 'react';
import { VirtualList } from '../../rendering/virtual-list.tsx';
import { useEndSignal, useLoad, useRowsVersion, useSession } from '../../state/use-session.ts';
import { useWorkbench } from '../../state/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { RowView } from './row-view.tsx';
import './timeline.css';

/** The session's timeline: rows in order, following the end unless the person scrolled up. */
export function TimelineView(): ReactNode {
  const { store } = useSession();
  const workbench = useWorkbench();
  const load = useLoad();
  const endSignal = useEndSignal();
  useRowsVersion();
  const { rows } = store;
  const keyAt = useCallback((index: number) => rows.at(index)?.key ?? String(index), [rows]);
  const onNearStart = useCallback(() => void workbench.loadOlder(store), [workbench, store]);

  if (load.phase === 'waiting') return <div className="timeline-empty" aria-busy="true" />;
  if (load.phase === 'failed') return <Unavailable message={load.message} />;
  if (rows.length === 0) {
    return (
      <div className="timeline-empty">
        <p>
          Say what you want done. The agent works in this project’s folder and asks before it does anything that needs
          your word.
        </p>
      </div>
    );
  }
  return (
    <VirtualList
      label="Transcript"
      endLabel="Jump to the latest"
      count={rows.length}
      keyAt={keyAt}
      memory={store.view}
      endSignal={endSignal}
      onNearStart={onNearStart}
      renderAt={(index) => {
        const row = rows.at(index);
        return row === undefined ? null : (
          <div className={`row row-${row.kind}`}>
            <RowView row={row} />
          </div>
        );
      }}
    />
  );
}

function Unavailable({ message }: { readonly message: string }): ReactNode {
  const { store } = useSession();
  const { tabs } = useWorkbench();
  return (
    <div className="timeline-empty" role="alert">
      <p>This session cannot be shown.</p>
      <p>{message}</p>
      <Button onClick={() => tabs.close(store.sessionId)}>Close this tab</Button>
    </div>
  );
}
