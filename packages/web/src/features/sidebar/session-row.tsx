import { useState, type ReactNode } from 'react';
import type { SessionSummary } from '@liminal/contracts';
import { exportFormats } from '../../state/workbench/file-actions.ts';
import { machineTrouble } from '../../state/workbench/describe-machine.ts';
import { shownTabs } from '../../state/layout/tabs-store.ts';
import { titleOf } from '../../state/sessions/titles.ts';
import { useNow } from '../../state/base/use-now.ts';
import { useStatuses } from '../../state/sessions/use-statuses.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../ui/agent-icon.tsx';
import { formatAgo } from '../../ui/format.ts';
import { MenuButton, MenuList, type MenuItem } from '../../ui/menu.tsx';
import { statusLabels, type StatusName } from '../../ui/status.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { RenameField } from './rename-field.tsx';
import './session-row.css';

type SessionRowProps = { readonly session: SessionSummary; readonly onChosen: () => void };

/** One session: its state, its title and when, and below that by whom. */
export function SessionRow({ session, onChosen }: SessionRowProps): ReactNode {
  const { archive, exportSession, panels, rename, tabs } = useWorkbench();
  const { providers } = useDirectory();
  const { sessionId, archived } = session;
  const held = useTabs();
  const status = useStatuses()(sessionId);
  const isRenaming = useCell(panels.renaming) === sessionId;
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const agent = providers.find((provider) => provider.cliType === session.cliType)?.name ?? session.cliType;
  const title = titleOf(session);
  const isShown = shownTabs(held).includes(sessionId);

  const items: MenuItem[] = [
    ...(held.active !== null && held.active !== sessionId
      ? [{ label: 'Open beside', onChoose: () => tabs.showBeside(sessionId) }]
      : []),
    { label: 'Rename', hint: 'F2', onChoose: () => panels.renaming.set(sessionId) },
    { label: archived ? 'Unarchive' : 'Archive', onChoose: () => void archive(sessionId, !archived) },
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
  return (
    <li
      className={archived ? 'session-row session-row-archived' : 'session-row'}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <button
        type="button"
        className={`session-link session-link-${status}${isShown ? ' session-link-active' : ''}`}
        {...(held.active === sessionId ? { 'aria-current': 'page' as const } : {})}
        title={title}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey) tabs.showBeside(sessionId);
          else tabs.show(sessionId);
          onChosen();
        }}
        onKeyDown={(event) => event.key === 'F2' && panels.renaming.set(sessionId)}
      >
        <span className="session-mark">
          <StatusBadge status={status} />
        </span>
        <span className="session-title-text" dir="auto">
          {title}
        </span>
        <Ago session={session} status={status} />
        <Facts session={session} status={status} agent={agent} />
      </button>
      <MenuButton label={`More actions for ${title}`} items={items} className="session-more" />
      {menuAt !== null && (
        <MenuList label={`More actions for ${title}`} items={items} at={menuAt} onClose={() => setMenuAt(null)} />
      )}
    </li>
  );
}

type FactsProps = { readonly session: SessionSummary; readonly status: StatusName; readonly agent: string };

/** Statuses that need their label; for the others the shape is enough. */
const spoken: readonly StatusName[] = ['needs-you', 'failed', 'working'];

/** When something last happened in it; what happens now needs no time. */
function Ago({ session, status }: Omit<FactsProps, 'agent'>): ReactNode {
  const now = useNow(30_000);
  if (status === 'needs-you' || status === 'working') return null;
  // Opening a session that failed long ago is no news of it: the time is the failure's own.
  const since = status === 'failed' ? (session.lastError?.at ?? session.updatedAt) : session.updatedAt;
  return <span className="session-time">{formatAgo(since, now)}</span>;
}

function Facts({ session, status, agent }: FactsProps): ReactNode {
  const parts = [
    spoken.includes(status) ? statusLabels[status] : '',
    // Before the agent: where there is little room, this is what must be seen.
    machineTrouble(session.node),
    agent,
    session.archived ? 'archived' : '',
  ];
  return (
    <span className={`session-facts session-facts-${status}`}>
      <AgentIcon agent={session.cliType} size={12} />
      <span className="session-facts-text">{parts.filter((part) => part !== '').join(' · ')}</span>
    </span>
  );
}
