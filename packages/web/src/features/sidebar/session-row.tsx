import { memo, useState, type DragEvent, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { exportFormats } from '../../state/workbench/file-actions.ts';
import { placeSession } from '../../state/layout/list-view.ts';
import { machineTrouble } from '../../state/workbench/describe-machine.ts';
import { sessionOfTab } from '../../state/layout/tab-id.ts';
import { shownTabs } from '../../state/layout/tabs.ts';
import { titleOf } from '../../state/sessions/titles.ts';
import { useNow } from '../../state/base/use-now.ts';
import { attentionOf } from '@liminal/domain/session/attention';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useCell, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../ui/agent-icon.tsx';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { formatAgo } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton, MenuList, type MenuItem } from '../../ui/menu.tsx';
import { statusLabels, type StatusName, StatusBadge } from '../../ui/status-badge.tsx';
import { RenameField } from './rename-field.tsx';
import './session-row.css';

export type SessionRowProps = {
  readonly session: SessionSummary;
  /** The name of its agent. */
  readonly agent: string;
  /** Its branch and, in a list of all projects, its project. */
  readonly branch: string;
  readonly project?: string | undefined;
  readonly onChosen: () => void;
  /** The ids of its list, in order. */
  readonly order: RefObject<readonly string[]>;
};

type DropSide = 'before' | 'after';

const dragType = 'application/x-liminal-session';

/** One session: its state, title and time, and below that its agent, branch and changes. */
export const SessionRow = memo((props: SessionRowProps): ReactNode => {
  const { session, onChosen } = props;
  const { archive, exportSession, listView, panels, rename, reviews, tabs } = useWorkbench();
  const { sessionId, archived } = session;
  const held = useTabs();
  const status = attentionOf(session).kind;
  const isRenaming = useCell(panels.renaming) === sessionId;
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const [drop, setDrop] = useState<DropSide | null>(null);
  const title = titleOf(session);
  // While the inbox is shown, no session is current.
  const isInSight = !useCell(panels.inbox);
  const isShown = isInSight && shownTabs(held).some((id) => sessionOfTab(id) === sessionId);

  const place = (id: string, at: number): void =>
    listView.update((view) => placeSession(view, props.order.current, id, at));
  const step = (by: number): void => {
    place(sessionId, props.order.current.indexOf(sessionId) + by);
    // A row that was moved in the DOM may have lost the focus.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`#${CSS.escape(`session-link-${sessionId}`)}`)?.focus(),
    );
  };
  const putBeside = (dragged: string): void => {
    const listed = props.order.current;
    if (dragged === sessionId || !listed.includes(dragged)) return;
    place(dragged, listed.filter((id) => id !== dragged).indexOf(sessionId) + (drop === 'after' ? 1 : 0));
  };

  const items: MenuItem[] = [
    ...(held.active !== null && held.active !== sessionId
      ? [{ label: 'Open beside', onChoose: () => tabs.showBeside(sessionId) }]
      : []),
    { label: 'Rename', hint: 'F2', onChoose: () => panels.renaming.set(sessionId) },
    { label: archived ? 'Unarchive' : 'Archive', onChoose: () => void archive(sessionId, !archived) },
    {
      label: 'Review changes',
      onChoose: () => {
        tabs.show(sessionId);
        reviews.open(sessionId);
      },
    },
    { label: 'Move up', hint: 'Alt+Shift+↑', onChoose: () => step(-1) },
    { label: 'Move down', hint: 'Alt+Shift+↓', onChoose: () => step(1) },
    ...exportFormats.map(({ format, name }) => ({
      label: `Export as ${name}`,
      onChoose: () => void exportSession(sessionId, format),
    })),
    { label: 'Delete', danger: true, onChoose: () => panels.open({ name: 'delete-session', sessionId }) },
  ];

  if (isRenaming) {
    return (
      <li>
        <RenameField
          title={session.title}
          onDone={(next) => {
            panels.renaming.set(null);
            if (next !== null) void rename(sessionId, next);
          }}
        />
      </li>
    );
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F2') panels.renaming.set(sessionId);
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined || !event.altKey || !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    step(by);
  };
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes(dragType)) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setDrop(event.clientY < top + height / 2 ? 'before' : 'after');
  };
  const classes = ['session-row', archived && 'session-row-archived', drop !== null && `session-drop-${drop}`];
  return (
    <li
      className={classes.filter(Boolean).join(' ')}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(dragType, sessionId)}
      onDragOver={onDragOver}
      onDragLeave={() => setDrop(null)}
      onDrop={(event) => {
        event.preventDefault();
        setDrop(null);
        putBeside(event.dataTransfer.getData(dragType));
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <button
        type="button"
        id={`session-link-${sessionId}`}
        className={`session-link session-link-${status}${isShown ? ' session-link-active' : ''}`}
        {...(isInSight && held.active !== null && sessionOfTab(held.active) === sessionId
          ? { 'aria-current': 'page' as const }
          : {})}
        title={title}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey) tabs.showBeside(sessionId);
          else tabs.show(sessionId);
          onChosen();
        }}
        onKeyDown={onKeyDown}
      >
        <span className="session-mark">
          <StatusBadge status={status} />
        </span>
        <span className="session-title-text" dir="auto">
          {title}
        </span>
        <Ago session={session} status={status} />
        <Facts {...props} status={status} />
      </button>
      <MenuButton label={`More actions for ${title}`} items={items} className="session-more" />
      {menuAt !== null && (
        <MenuList label={`More actions for ${title}`} items={items} at={menuAt} onClose={() => setMenuAt(null)} />
      )}
    </li>
  );
});

type FactsProps = Pick<SessionRowProps, 'session' | 'agent' | 'branch' | 'project'> & { readonly status: StatusName };

/** The label of a session that needs the user or failed; for the others the icon is enough. */
function labelOf(status: StatusName, { lastError }: SessionSummary): string {
  if (status === 'needs-you') return statusLabels[status];
  return status === 'failed' ? showHidden(lastError?.message ?? statusLabels[status]) : '';
}

/** The time of its last activity. */
function Ago({ session, status }: Pick<FactsProps, 'session' | 'status'>): ReactNode {
  const now = useNow(30_000);
  // Opening a session that failed long ago updates it, so the time of the failure is shown.
  const since = status === 'failed' ? (session.lastError?.at ?? session.updatedAt) : session.updatedAt;
  return <span className="session-time">{formatAgo(since, now)}</span>;
}

function Facts({ session, status, agent, branch, project }: FactsProps): ReactNode {
  const label = labelOf(status, session);
  const trouble = machineTrouble(session.node);
  // A status that needs the user comes first; otherwise the branch distinguishes sessions.
  const isOnBranch = label === '' && trouble === '' && branch !== '';
  const parts = [
    label,
    trouble,
    project ?? '',
    isOnBranch ? showHidden(branch) : label === '' ? agent : '',
    session.archived ? 'archived' : '',
  ];
  return (
    <span className={`session-facts session-facts-${status}`}>
      <span className="session-agent" title={agent}>
        <AgentIcon agent={session.cliType} size={12} />
      </span>
      {isOnBranch && <Icon name="branch" size={12} />}
      <span className="session-facts-text">{parts.filter((part) => part !== '').join(' · ')}</span>
      <ChangeCounts counts={session.ended?.changed} />
    </span>
  );
}
