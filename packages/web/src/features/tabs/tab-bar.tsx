import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { loudestOf } from '@liminal/domain/session/attention';
import { isNewSession } from '../../state/sessions/new-sessions.ts';
import { readTab } from '../../state/layout/tab-id.ts';
import { shownTabs } from '../../state/layout/tabs.ts';
import { useAttention } from '../../state/sessions/use-statuses.ts';
import { useTabTitles } from '../../state/workbench/use-tab-titles.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TabListButton } from './tab-list-button.tsx';
import { Tab } from './tab.tsx';
import { useTabDrag } from './use-tab-drag.ts';
import './tabs.css';

type TabBarProps = { readonly onMenu: () => void; readonly listHidden: boolean };

/** The open sessions, reviews, files and terminals. Closing a tab doesn't end what it shows. */
export function TabBar({ onMenu, listHidden }: TabBarProps): ReactNode {
  const {
    activeProject,
    activeSession,
    comparing,
    fileViews,
    newSessions,
    panels,
    reviews,
    tabs: store,
    terminals,
  } = useWorkbench();
  const { projects, sessions } = useDirectory();
  const tabs = useTabs();
  const attentionOf = useAttention();
  const inspector = useCell(panels.inspector);
  const isTerminalShown = useCell(terminals.isShown);
  const shownKind = readTab(tabs.active ?? '').kind;
  const sessionId = activeSession();
  const isInbox = useCell(panels.inbox);
  const isCompared = useCell(comparing.shown) !== null;
  // The inbox or a comparison is shown instead: a button here would act on something that isn't visible.
  const hasSession = sessionId !== null && !isNewSession(sessionId) && !isInbox && !isCompared;
  const list = useRef<HTMLDivElement>(null);
  const drag = useTabDrag(store, panels.dropAt, list);
  // Restores the focus of a tab that was moved by key, after it is redrawn.
  const [focusActive, setFocusActive] = useState(0);
  const session = sessions.get(sessionId ?? '');
  const projectId = (session ?? newSessions.origin(sessionId ?? ''))?.projectId ?? activeProject() ?? undefined;
  const shown = shownTabs(tabs);
  const titles = useTabTitles();
  const elsewhere = [...sessions.values()]
    .filter((session) => !session.archived)
    .map((session) => attentionOf(session.sessionId));

  useEffect(() => {
    const selected = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    selected?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (focusActive > 0) selected?.focus();
  }, [tabs.active, tabs.open, focusActive]);

  const onKeyDown = (event: KeyboardEvent, id: string): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) store.move(id, step);
      else store.step(step);
      setFocusActive(focusActive + 1);
    } else if (event.key === 'Delete') store.close(id);
  };

  return (
    <div className={listHidden ? 'tab-bar tab-bar-wide' : 'tab-bar'}>
      <IconButton label="Projects and sessions" className="tab-menu" onClick={onMenu}>
        <Icon name="menu" />
        {loudestOf(elsewhere) === 'needs-you' && (
          <span className="tab-menu-status">
            <StatusBadge status="needs-you" />
          </span>
        )}
      </IconButton>
      {isInbox && (
        <span className="tab-title" aria-hidden="true">
          Inbox
        </span>
      )}
      <div
        ref={list}
        className="tab-list"
        role="tablist"
        aria-label="Open tabs"
        // Leaving the bar cancels a pending focus: a tab must not take the focus later.
        onBlur={() => setFocusActive(0)}
      >
        {tabs.open.map((id, index) => (
          <Tab
            key={newSessions.origin(id)?.id ?? id}
            id={id}
            title={titles[index] ?? { title: '', mark: '' }}
            status={attentionOf(id).kind}
            isActive={id === tabs.active}
            isBeside={id !== tabs.active && shown.includes(id)}
            isReachable={id === tabs.active || (tabs.active === null && index === 0)}
            drop={drag.dropAt(id)}
            isDragged={drag.isDragged(id)}
            onPointerDown={(event) => drag.onPointerDown(event, id)}
            onChoose={() => !drag.swallowsClick() && store.show(id)}
            onKeyDown={(event) => onKeyDown(event, id)}
          />
        ))}
      </div>
      <TabListButton />
      {projects.length > 0 && (
        <IconButton
          label="New session (Alt+N)"
          className="tab-new"
          onClick={() => panels.open({ name: 'new-session', ...(projectId !== undefined && { projectId }) })}
        >
          <Icon name="add" />
        </IconButton>
      )}
      {hasSession && (
        <button
          type="button"
          title="Review changes (Alt+R)"
          className="icon-button tab-review"
          aria-pressed={shownKind === 'review'}
          onClick={() => reviews.toggle(sessionId)}
        >
          <Icon name="review" />
          <span className="tab-review-text">Review</span>
          <ChangeCounts counts={session?.ended?.changed} />
        </button>
      )}
      {hasSession && (
        <IconButton
          label="Files in this folder (Alt+E)"
          className="tab-files"
          aria-pressed={shownKind === 'file'}
          onClick={() => fileViews.toggle(sessionId)}
        >
          <Icon name="folder" />
        </IconButton>
      )}
      {projects.length > 0 && (
        <IconButton
          label="Terminal (Ctrl+`)"
          className="tab-terminal"
          aria-pressed={isTerminalShown}
          onClick={() => terminals.toggle(projectId ?? projects[0]?.projectId, session?.place?.worktreeId)}
        >
          <Icon name="execute" />
        </IconButton>
      )}
      {hasSession && (
        <IconButton
          label="Session details (Ctrl+I)"
          className="tab-inspector"
          aria-pressed={inspector}
          onClick={() => panels.inspector.set(!inspector)}
        >
          <Icon name="inspector" />
        </IconButton>
      )}
    </div>
  );
}
