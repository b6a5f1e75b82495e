import { useState, type KeyboardEvent, type PointerEventHandler, type ReactNode } from 'react';
import type { DistinctTitle } from '../../state/sessions/titles.ts';
import { isNewSession } from '../../state/sessions/new-sessions.ts';
import { useCell, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuList, type MenuItem } from '../../ui/menu.tsx';
import { type StatusName, StatusBadge } from '../../ui/status-badge.tsx';
import type { DropSide } from './use-tab-drag.ts';

type TabProps = {
  readonly sessionId: string;
  readonly title: DistinctTitle;
  readonly status: StatusName;
  readonly isActive: boolean;
  /** It is shown at the side of the active one. */
  readonly isBeside: boolean;
  readonly isReachable: boolean;
  readonly drop: DropSide | null;
  readonly isDragged: boolean;
  readonly onPointerDown: PointerEventHandler;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/** One tab. It holds no further controls for the keyboard: Delete closes it, its menu has the rest. */
export function Tab(props: TabProps): ReactNode {
  const { sessionId, title, status, isActive, isBeside, drop } = props;
  const { comparing, panels, tabs } = useWorkbench();
  const isCompared = useCell(comparing.shown) !== null;
  // The inbox or a comparison is in its place.
  const isInSight = !useCell(panels.inbox) && !isCompared;
  const { open, active, split } = useTabs();
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const label = title.mark === '' ? title.title : `${title.title} · ${title.mark}`;
  const classes = [
    'tab',
    `tab-${status}`,
    isActive ? 'tab-active' : '',
    isBeside ? 'tab-beside' : '',
    props.isDragged ? 'tab-dragged' : '',
    drop === null ? '' : `tab-drop-${drop}`,
  ];
  const items: MenuItem[] = [
    { label: 'Close tab', hint: 'Del', onChoose: () => tabs.close(sessionId) },
    ...(open.length > 1
      ? [
          {
            label: 'Close other tabs',
            onChoose: () => tabs.closeOthers(sessionId),
          },
        ]
      : []),
    ...(open.length > 1 && active !== sessionId && !isBeside
      ? [{ label: 'Open beside', onChoose: () => tabs.showBeside(sessionId) }]
      : []),
    ...(split !== null && (split.left === sessionId || split.right === sessionId)
      ? [{ label: 'Close split view', onChoose: tabs.endSplit }]
      : []),
    ...(isNewSession(sessionId) ? [] : [{ label: 'Rename', onChoose: () => panels.renaming.set(sessionId) }]),
  ];
  return (
    <>
      <button
        type="button"
        role="tab"
        id={`tab-${sessionId}`}
        className={classes.filter((name) => name !== '').join(' ')}
        aria-selected={isActive}
        aria-keyshortcuts="Delete"
        {...(isActive && isInSight ? { 'aria-controls': 'session-panel' } : {})}
        tabIndex={props.isReachable ? 0 : -1}
        title={label}
        onPointerDown={props.onPointerDown}
        onClick={props.onChoose}
        onKeyDown={props.onKeyDown}
        onAuxClick={(event) => event.button === 1 && tabs.close(sessionId)}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenuAt({ x: event.clientX, y: event.clientY });
        }}
      >
        <StatusBadge status={status} />
        <span className="tab-label">{title.title}</span>
        {title.mark !== '' && <span className="tab-mark">{title.mark}</span>}
        <span
          className="tab-close"
          aria-hidden="true"
          title="Close tab"
          onClick={(event) => {
            event.stopPropagation();
            tabs.close(sessionId);
          }}
        >
          <Icon name="close" size={12} />
        </span>
      </button>
      {menuAt !== null && (
        <MenuList label={`More actions for ${label}`} items={items} at={menuAt} onClose={() => setMenuAt(null)} />
      )}
    </>
  );
}
