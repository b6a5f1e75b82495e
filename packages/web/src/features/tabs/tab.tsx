import { useState, type KeyboardEvent, type PointerEventHandler, type ReactNode } from 'react';
import type { DistinctTitle } from '../../state/sessions/titles.ts';
import { isNewSession } from '../../state/sessions/new-sessions.ts';
import { readTab, tabElementId } from '../../state/layout/tab-id.ts';
import { shownTabs } from '../../state/layout/tabs.ts';
import { useCell, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuList, type MenuItem } from '../../ui/menu.tsx';
import { type StatusName, StatusBadge } from '../../ui/status-badge.tsx';
import type { DropSide } from './use-tab-drag.ts';

type TabProps = {
  readonly id: string;
  readonly title: DistinctTitle;
  /** The status of its session, if it shows one. */
  readonly status: StatusName;
  readonly isActive: boolean;
  /** Shown next to the active one. */
  readonly isBeside: boolean;
  readonly isReachable: boolean;
  readonly drop: DropSide | null;
  readonly isDragged: boolean;
  readonly onPointerDown: PointerEventHandler;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

const icons = { review: 'review', file: 'read', terminal: 'execute' } as const;

/** One tab. It contains no other focusable controls: Delete closes it, its menu has the rest. */
export function Tab(props: TabProps): ReactNode {
  const { id, title, status, isActive, isBeside, drop } = props;
  const { comparing, fileViews, panels, tabs, terminals } = useWorkbench();
  const target = readTab(id);
  const isUnsaved = useCell(fileViews.unsaved).has(id);
  const isCompared = useCell(comparing.shown) !== null;
  // The inbox or a comparison is shown instead of it.
  const isInSight = !useCell(panels.inbox) && !isCompared;
  const tabsNow = useTabs();
  const { open, active } = tabsNow;
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const label = title.mark === '' ? title.title : `${title.title} · ${title.mark}`;
  const classes = [
    'tab',
    `tab-${status}`,
    isActive && isInSight ? 'tab-active' : '',
    isBeside && isInSight ? 'tab-beside' : '',
    props.isDragged ? 'tab-dragged' : '',
    drop === null ? '' : `tab-drop-${drop}`,
  ];
  const splitWith = active === id ? undefined : active;
  const isSplit = shownTabs({ ...tabsNow, active: id }).length > 1;
  const items: MenuItem[] = [
    { label: 'Close tab', hint: 'Del', onChoose: () => tabs.close(id) },
    ...(open.length > 1 ? [{ label: 'Close other tabs', onChoose: () => tabs.closeOthers(id) }] : []),
    ...(splitWith !== undefined && splitWith !== null && !isBeside
      ? [
          { label: 'Split right', onChoose: () => tabs.showBeside(id) },
          { label: 'Split below', onChoose: () => tabs.showBeside(id, 'bottom') },
        ]
      : []),
    ...(isSplit ? [{ label: 'Remove from split', onChoose: () => tabs.takeOut(id) }] : []),
    ...(target.kind === 'session' && !isNewSession(id)
      ? [{ label: 'Rename', onChoose: () => panels.open({ name: 'rename', sessionId: id }) }]
      : []),
    ...(target.kind === 'terminal'
      ? [{ label: 'Move to the panel', onChoose: () => terminals.toPanel(target.terminalId) }]
      : []),
  ];
  return (
    <>
      <button
        type="button"
        role="tab"
        id={tabElementId(id)}
        data-tab={id}
        className={classes.filter((name) => name !== '').join(' ')}
        aria-selected={isActive && isInSight}
        aria-keyshortcuts="Delete"
        {...(isActive && isInSight ? { 'aria-controls': 'session-panel' } : {})}
        tabIndex={props.isReachable ? 0 : -1}
        title={label}
        onPointerDown={props.onPointerDown}
        onClick={props.onChoose}
        onKeyDown={props.onKeyDown}
        onAuxClick={(event) => event.button === 1 && tabs.close(id)}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenuAt({ x: event.clientX, y: event.clientY });
        }}
      >
        {target.kind === 'session' ? <StatusBadge status={status} /> : <Icon name={icons[target.kind]} size={14} />}
        <span className="tab-label">
          {/* The icon already says so and takes less space. */}
          {target.kind === 'review' && <span className="visually-hidden">Review: </span>}
          {target.kind === 'review' ? title.title.replace(/^Review: /, '') : title.title}
        </span>
        {title.mark !== '' && <span className="tab-mark">{title.mark}</span>}
        {isUnsaved && <span className="tab-unsaved" role="img" aria-label="Unsaved" title="Unsaved" />}
        <span
          className="tab-close"
          aria-hidden="true"
          title="Close tab"
          onClick={(event) => {
            event.stopPropagation();
            tabs.close(id);
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
