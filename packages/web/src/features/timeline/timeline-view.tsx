import { useCallback, useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { guessHeight } from '../../rendering/markdown-blocks.ts';
import { VirtualList } from '../../rendering/lists/virtual-list.tsx';
import type { SessionStore } from '../../state/sessions/session-store.ts';
import { useEndSignal, useLoad, useRowsVersion, useSession, useSought } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { placeOf } from './place-of.ts';
import { EmptySession } from './empty-session.tsx';
import { RowView } from './row-view.tsx';
import './timeline.css';
import './tools/tool-rows.css';

/** The approximate height of a row: text by its length, everything else is a line. */
function guessRow(store: SessionStore, index: number): number {
  const row = store.rows.at(index);
  if (row === undefined) return 32;
  switch (row.kind) {
    case 'user':
    case 'text': {
      const item = store.item(row.itemId);
      return 28 + (item?.type === 'message' ? guessHeight(item.content) : 24);
    }
    case 'plan':
      return 120;
    case 'turn-end':
      return 48;
    case 'group':
    case 'note':
    case 'turn-start':
    case 'thinking':
    case 'tool':
      return 32;
  }
}

/** How long the found row stays highlighted. */
const foundMs = 2500;

type Found = { readonly key: string; readonly takesFocus: boolean };

/** The row to scroll to after a search, and the found row, for a while. */
function useSoughtRow(): { goTo: number | null; found: Found | null; onArrived: () => void } {
  const { store } = useSession();
  const sought = useSought();
  const [found, setFound] = useState<Found | null>(null);
  const place = sought === null ? -1 : placeOf(store.rows, sought.itemId);
  const takesFocus = sought?.takesFocus ?? false;
  const goTo = place < 0 ? null : place;
  const onArrived = useCallback(() => {
    const key = goTo === null ? undefined : store.rows.at(goTo)?.key;
    setFound(key === undefined ? null : { key, takesFocus });
    store.seek(null);
  }, [store, goTo, takesFocus]);
  useEffect(() => {
    if (found === null) return undefined;
    const timer = setTimeout(() => setFound(null), foundMs);
    return () => clearTimeout(timer);
  }, [found]);
  return { goTo, found, onArrived };
}

const takeFocus = (row: HTMLElement | null): void => row?.focus({ preventScroll: true });

/** A letter typed on a found row goes to the composer. */
function writeOn(event: KeyboardEvent<HTMLElement>): void {
  const isLetter = /^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isLetter || event.target !== event.currentTarget) return;
  event.currentTarget.closest('.session')?.querySelector<HTMLElement>('.composer-input')?.focus();
}

/** The session's timeline: rows in order, following the end unless the user scrolled up. */
export function TimelineView(): ReactNode {
  const { store } = useSession();
  const workbench = useWorkbench();
  const load = useLoad();
  const endSignal = useEndSignal();
  useRowsVersion();
  const { goTo, found, onArrived } = useSoughtRow();
  const { rows } = store;
  const keyAt = useCallback((index: number) => rows.at(index)?.key ?? String(index), [rows]);
  const sizeAt = useCallback((index: number) => guessRow(store, index), [store]);
  const onNearStart = useCallback(() => void workbench.loadOlder(store), [workbench, store]);
  const onStart = useCallback(() => void workbench.goToStart(store), [workbench, store]);

  if (load.phase === 'waiting') return <div className="timeline-empty" aria-busy="true" />;
  if (load.phase === 'failed') return <Unavailable message={load.message} />;
  if (rows.length === 0) return <EmptySession />;
  return (
    <VirtualList
      label="Transcript"
      endLabel="Jump to latest"
      count={rows.length}
      keyAt={keyAt}
      sizeAt={sizeAt}
      memory={store.view}
      endSignal={endSignal}
      goTo={goTo}
      onArrived={onArrived}
      onNearStart={onNearStart}
      onStart={onStart}
      renderAt={(index) => {
        const row = rows.at(index);
        return row === undefined ? null : (
          <div
            className={row.key === found?.key ? `row row-${row.kind} row-found` : `row row-${row.kind}`}
            {...(row.kind === 'user' && { tabIndex: -1, onKeyDown: writeOn })}
            {...(row.key === found?.key && found.takesFocus && { ref: takeFocus })}
          >
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
      <p>Can't show this session.</p>
      <p>{message}</p>
      <Button onClick={() => tabs.close(store.sessionId)}>Close tab</Button>
    </div>
  );
}
